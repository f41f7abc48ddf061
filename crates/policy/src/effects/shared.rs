//! A value that is shared until it is changed; states of the shell are copied at every command and rarely differ.

use std::ops::{Deref, DerefMut};
use std::rc::Rc;

/// A value that is copied only when one of its holders changes it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shared<T: Clone>(Rc<T>);

impl<T: Clone> Shared<T> {
    /// Takes a value in.
    pub(crate) fn new(value: T) -> Self {
        Self(Rc::new(value))
    }
}

impl<T: Clone> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        Rc::make_mut(&mut self.0)
    }
}

impl<T: Clone + PartialEq> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}
