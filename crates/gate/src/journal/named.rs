//! Bridges for serde to policy's closed enums, which know their names but not serde; a name off the list is refused.

/// Makes a module for `#[serde(with = "…")]` from a type with `ALL` and `name`.
macro_rules! named {
    ($module:ident, $type:ty) => {
        #[doc = concat!("Writes and reads [`", stringify!($type), "`] by its name.")]
        pub(super) mod $module {
            use serde::de::Error as _;
            use serde::{Deserialize as _, Deserializer, Serializer};

            pub(in super::super) fn serialize<S: Serializer>(
                value: &$type,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(value.name())
            }

            pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
                deserializer: D,
            ) -> Result<$type, D::Error> {
                let text = String::deserialize(deserializer)?;
                let found = <$type>::ALL.into_iter().find(|value| value.name() == text);
                found.ok_or_else(|| D::Error::custom(format!("`{text}` is not on the list")))
            }
        }
    };
}

named!(action, countersign_policy::action::Action);
named!(mode, countersign_policy::mode::Mode);
named!(kind, countersign_policy::request::Kind);
named!(category, countersign_policy::request::Category);
named!(outcome, countersign_policy::outcome::Outcome);
