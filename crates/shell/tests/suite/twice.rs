//! Text that bash scans a second time by simpler rules is read only where both scans agree; found by the differential.

use countersign_shell::read::read;
use countersign_shell::unread::UnreadKind;

fn refused(text: &str, kind: UnreadKind) {
    assert_eq!(
        read(text).map_err(|unread| unread.kind),
        Err(kind),
        "{text:?}"
    );
}

fn accepted(text: &str) {
    assert_eq!(read(text).map(drop), Ok(()), "{text:?}");
}

#[test]
fn p5_arithmetic_whose_parentheses_do_not_balance_by_count_runs_as_commands() {
    for text in [
        "echo $(( $(case x in x) a;; esac) + 0 ))",
        "echo $(($(a $(case x in(x)esac))0))",
        "echo $(( \"$(: \"(\" )\" $(case x in x) esac) ))",
        "echo $(( \"${x:-\"(\"}\" $(case x in x) esac) ))",
        "echo $(( $(: ')'; : '(') $(case x in x) esac) ))",
    ] {
        refused(text, UnreadKind::AmbiguousParentheses);
    }
    accepted("echo $(( $(stat -c '%s)' \"$f\") + ${#x} + (1 + 2) * 16#ff ))");
    accepted("echo $(( $(wc -l < \"${f}\") - (1) ))");
    // A comment would hide what is behind it, but `#` begins one behind a blank only.
    for text in [
        "echo $(( # a ))",
        "echo $((a +\n# ()\n1))",
        "echo $((a \\\n# ()\n1))",
        "echo $((a \\\n\\\n#1))",
    ] {
        refused(text, UnreadKind::AmbiguousParentheses);
    }
    accepted("echo $((#-1)) $((# 1 + 2)) $((a#b)) $(\\\n(1 + 2)) $((\\\n1 + 2))");
}

#[test]
fn p5_here_documents_in_parentheses_that_are_tried_as_arithmetic() {
    refused("( ((a <<E\nb\nE\n) && c) )", UnreadKind::BadHereDocument);
    refused("echo $((a <<E\nb\nE\n) )", UnreadKind::BadHereDocument);
    refused("a <<E; ((b\nE\n); c)", UnreadKind::BadHereDocument);
    refused(
        "echo $((a + $(b <<'E'\n\"\nE\n))) \"\"",
        UnreadKind::BadHereDocument,
    );
    refused("x[$(a <<'E'\n(\nE\n)]=b c", UnreadKind::BadHereDocument);
    refused(
        "x[$(case a in b) c;; esac)]=b c",
        UnreadKind::AmbiguousParentheses,
    );
    accepted("x[1 << (2)]=$((1 << y)) z[\"a)\"]=b");
}

#[test]
fn p5_the_second_dollar_of_a_pid_begins_an_expansion_inside_quotes() {
    refused("\"$$(\"\")\"", UnreadKind::Garbled);
    refused("x[$${x:-a(a)]=b c", UnreadKind::Garbled);
    accepted("a $$ \"$$\" x$$.y");
}

#[test]
fn p5_a_separator_behind_a_here_document_in_a_substitution_is_printed_as_a_newline() {
    let text = "a $(b <<''\ntext\n\nc\nd)";
    let script = read(text).unwrap();
    let printed = countersign_shell::print::print(&script);
    assert_eq!(
        countersign_shell::print::print(&read(&printed).unwrap()),
        printed
    );
}

#[test]
fn p5_bytes_by_which_bash_marks_quoting() {
    refused("a \u{1}", UnreadKind::Control);
    refused("a \"$\u{7f}(\"\" )\"", UnreadKind::Control);
}

#[test]
fn p5_a_process_substitution_in_the_subscript_of_an_array_element() {
    refused("x=([<(a)1]=b)", UnreadKind::MisplacedProcessSubstitution);
    accepted("((a<(b))); x=([a<b]=c); echo $((1<(2)))");
}

#[test]
fn p5_a_bare_brace_in_a_subscript_ends_the_expansion() {
    for text in ["b ${x[};``]}", "echo ${x[}; mk; ]}", "${x[a}b]}"] {
        refused(text, UnreadKind::BadSubstitution);
    }
    accepted("echo ${x[${y}]} ${x[\"}\"]} ${x[i+1]}");
}

#[test]
fn p5_a_range_may_begin_with_white_space_that_is_no_blank() {
    for text in ["{\u{b}1..3}", "{1..\u{c}3}", "{\r1..3}"] {
        let script = read(text).unwrap();
        let printed = countersign_shell::print::print(&script);
        let part = &countersign_shell::walk::commands(&script)[0].words[0].parts[0];
        let range = matches!(
            part,
            countersign_shell::tree::Part::Brace(countersign_shell::tree::Brace::Range { .. })
        );
        assert!(range, "{printed:?}");
    }
}

#[test]
fn p5_a_process_substitution_behind_an_array_is_of_the_same_word() {
    for text in ["x=()<(a) b", "x=(1)>(a) b", "declare x=()<(a) b"] {
        refused(text, UnreadKind::BadArray);
    }
    accepted("x=() <(a) b; x=(1)>a; x=(1)<a b");
}

#[test]
fn p5_a_bare_dollar_in_double_quotes_inside_double_quotes_is_read_again() {
    for text in [
        r#"echo "${x-"$\(b"${y-``}")"}""#,
        r#"echo "${x-"$"(b)}""#,
        r#"echo "${x-"$""(b)"}""#,
        "cat <<E\n${x-\"$\"(b)}\nE",
    ] {
        refused(text, UnreadKind::NestedQuotes);
    }
    accepted(r#"echo "${x:-"$y"}" "${x:-"\$5"}" "${x:-"$(a)"}" "$" "${x:-$ }""#);
}

#[test]
fn p5_a_delimiter_that_begins_with_a_tab_where_tabs_are_stripped() {
    refused("a <<-'\tE'\n\tE\nb", UnreadKind::BadHereDocument);
    accepted("a <<'\tE'\n\tE\nb");
}

#[test]
fn p5_a_parenthesis_in_an_operand_makes_two_subshells_of_an_arithmetic_command() {
    for text in [
        "((${x+(1}x))",
        "((${x+(``}x$(case x in x)m;esac)))",
        "((1+$(case x in x) m;; esac)))",
    ] {
        refused(text, UnreadKind::AmbiguousParentheses);
    }
    accepted("((x=(1+2)*${y:-3})); ((${x+1}+$(a))); for ((i=0;i<(3);i++)); do a; done");
}

#[test]
fn p5_the_message_of_an_unset_variable_is_expanded_without_quotes() {
    for text in [
        "echo \"${x?<(a)}\"",
        "echo \"${x:?b >(a)}\"",
        "cat <<E\n${x?<(a)}\nE",
        "echo $((${x?<(a)}))",
    ] {
        refused(text, UnreadKind::MisplacedProcessSubstitution);
    }
    accepted("echo \"${x?not set}\" \"${x:-<(a)}\" \"${x:?a < b}\"");
}

#[test]
fn p5_braces_in_backquotes_in_double_quotes_are_found_first() {
    for text in ["a\"`\"{1..3}\"`\"", "a \"${x-`\"{b,c}\"`}\""] {
        refused(text, UnreadKind::NestedQuotes);
    }
    accepted("a \"`b \"c\"`\" \"`b {1..3}`\" `b \"{1..3}\"`");
}
