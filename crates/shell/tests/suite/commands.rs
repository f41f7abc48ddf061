//! Every construct, with the simple commands that bash would run.

use countersign_shell::read::{Extended, Limits, read, read_with};
use countersign_shell::tree::{Part, Simple, Word};
use countersign_shell::walk::commands;

use crate::printing::fault;

/// The words of a command, what is computed shown as `?`.
fn shown(simple: &Simple) -> String {
    let words: Vec<String> = simple.words.iter().map(word).collect();
    words.join(" ")
}

fn word(word: &Word) -> String {
    word.parts.iter().map(part).collect()
}

fn part(part: &Part) -> String {
    match part {
        Part::Literal(text) | Part::Quoted(text) | Part::Glob(text) => text.clone(),
        Part::DoubleQuoted(parts) => parts.iter().map(self::part).collect(),
        Part::Tilde(user) => format!("~{user}"),
        Part::Parameter(_)
        | Part::CommandSubstitution(_)
        | Part::Arithmetic(_)
        | Part::ProcessSubstitution(_)
        | Part::ExtendedGlob(_)
        | Part::Brace(_)
        | Part::CompoundAssignment(_) => "?".to_owned(),
    }
}

/// Checks that a text is read with exactly these simple commands, joined by `; `.
fn check(source: &str, expected: &str) {
    let script = read(source);
    assert!(script.is_ok(), "{source:?} {script:?}");
    let commands = script.iter().flat_map(|script| commands(script));
    let found: Vec<String> = commands
        .map(shown)
        .filter(|shown| !shown.is_empty())
        .collect();
    assert_eq!(found.join("; "), expected, "{source:?}");
    assert_eq!(fault(source), None, "{source:?}");
}

/// Checks that a text is not read.
fn refuse(source: &str) {
    assert!(read(source).is_err(), "{source:?}");
}

#[test]
fn p5_lists_and_pipelines() {
    check("a; b & c && d || e | f |& g\nh", "a; b; c; d; e; f; g; h");
    check(
        "! a; ! ! b; time c; time -p d | e; time -- f; !\ntime\ng",
        "a; b; c; d; e; f; g",
    );
    check("a | time b", "a; time b");
    check("a &&\n\n# c\n b |\n c", "a; b; c");
    check("# only a comment", "");
    check("a #b\nc;#d\n#e", "a; c");
    check("a b#c d", "a b#c d");
    for wrong in [
        "a;;", "a && ;", ";a", "a ; ; b", "| a", "a | ! b", "&", "a & ; b", "(!)", "in", "do", "fi",
    ] {
        refuse(wrong);
    }
}

#[test]
fn p5_words_and_quotes() {
    check(
        r#"e'c'h"o" 'a b' "c\"d\$\`\\\n" \e\  $'f\x41\t\'g\u00e9' $"h""#,
        "echo a b c\"d$`\\\\n e  fA\t'gé h",
    );
    check(r"a $'b\0c' d", "a b d");
    check(r"a $'b\x01c' $'\177'", "a b\u{1}c \u{7f}");
    check("a\\\nb c\\\n d", "ab c d");
    check("e\\\nch\\\no a &\\\n& b", "echo a; b");
    check("a ~ ~u/b c~ x=~/d \"~\"", "a ~ ~u/b c~ x=~/d ~");
    check("a\\", "a\\");
    check("a\r", "a\r");
    check("a $ $% b$", "a $ $% b$");
    check("a {b,c} {d} {1..3} {e,f", "a ? {d} ? {e,f");
    check("a [b-c]* d? [e", "a [b-c]* d? [e");
    for wrong in ["a 'b", "a \"b", "a `b", "a $'b", "a )", "a (b)"] {
        refuse(wrong);
    }
}

#[test]
fn p5_substitutions_anywhere() {
    check(
        "a $(b) `c` \"$(d \"$(e)\")\" <(f) >(g)",
        "a ? ? ? ? ?; b; c; d ?; e; f; g",
    );
    check(
        "a ${b:-$(c)} \"${d:=`e`}\" ${f/$(g)/$(h)} ${i:$(j):$(k)} ${l[$(m)]} ${n#<(o)}",
        "a ? ? ? ? ? ?; c; e; g; h; j; k; m; o",
    );
    check(
        "a $((1 + $(b))) $[$(c)]; ((d = $(e))); for ((i=$(f);;)); do g; done",
        "a ? ?; b; c; e; f; g",
    );
    check(
        "x=$(a) y[$(b)]=c z=($(d) [$(e)]=$(f)) g",
        "g; a; b; d; e; f",
    );
    check("[[ -f $(a) && $(b) == $(c)* || $d =~ $(e) ]]", "a; b; c; e");
    check("case $(a) in $(b)) c;; esac", "a; b; c");
    check("a >$(b) <<<$(c) 2>&$(d)", "a; b; c; d");
    check("coproc N$(a)E { b; }", "a; b");
    check("f() { a; } >$(b)", "a; b");
    check("a `b \\`c \\\\\\`d\\\\\\`\\``", "a ?; b ?; c ?; d");
    check("a \"`b \\\"c\\\"`\"", "a ?; b c");
    check("a \"${b:-'$(c)'}\" \"${d#'$(e)'}\"", "a ? ?; c");
    check("a $(case x in x) b;; (y) c; esac)", "a ?; b; c");
    check("a $( # it's )\n b)", "a ?; b");
    check("a $() $(\n) <()", "a ? ? ?");
    check("a $\\\n(b) $(\\\n(c) )", "a ? ?; b; c");
    check("a \"$(b '\"' c)\"", "a ?; b \" c");
}

#[test]
fn p5_parentheses_are_arithmetic_or_commands() {
    check("((a)); ( (b) ); ((c); (d)); ( ( e ) )", "b; c; d; e");
    check("a $((b)) $((c); (d)) $( (e) )", "a ? ? ?; c; d; e");
    check("((a) ); ((1)\\\n)", "a; 1");
    check("a $((`b`0)) $((16#ff$(c)))", "a ? ?; b; c");
    check("((a < b)) && ((c<(d)))", "");
    check("!(a)", "a");
    refuse("((a)");
    refuse("(a");
    refuse("( )");
}

#[test]
fn p5_here_documents() {
    check("a <<E; b\n$(c) `d` ${e:-$(f)}\nE\ng", "a; c; d; f; b; g");
    check("a <<'E'; b\n$(c)\nE\nd", "a; b; d");
    check("a <<A <<-B\n$(b)\nA\n\t$(c)\n\tB\nd", "a; b; c; d");
    check("a <<E >$(b)\nE\nc", "a; b; c");
    check("a <<E && b\n\\$(c) \\`d\\`\nE", "a; b");
    check("a $(b <<E\n$(c)\nE\n) d", "a ? d; b; c");
    check("a $(b <<E\nE) c", "a ? c; b");
    check("a <<E\n$(b <<F\n$(c)\nF\n)\nE\nd", "a; b; c; d");
    check("a `b <<E\n$(c)\nE\nd; e; f`", "a ?; b; c; d; e; f");
    check("a $(b; c <<E\nE\nd)", "a ?; b; c; d");
    check("a <<A $(b\n)\n$(c)\nA\nd", "a ?; b; c; d");
    check("a <<E\nb\\\nE\n$(c)\nE\nd", "a; c; d");
    check("a <<E\n$(b)", "a; b");
    check("a <<\\E\n$(b)\nE\nc", "a; c");
    check("a <<E$x\n$(b)\nE$x\nc", "a; b; c");
    check("a <<${x}\n$(b)\n${x}\nc", "a; b; c");
    check("a <<$(x)\n$(b)\n$(x)\nc", "a; b; c");
    check("a <<`x`\n$(b)\n`x`\nc", "a; b; c");
    for unclear in ["${x:-y}", "$(x y)", "$( x)", "$((x))", "`x y`"] {
        refuse(&format!("a <<{unclear}\n$(b)\n{unclear}\nc"));
    }
    check("if a <<E; then b; fi\n$(c)\nE\nd", "a; c; b; d");
    check("{ a <<E; }\n$(b)\nE\nc", "a; b; c");
    refuse("a <<E\n$(b\nE");
    refuse("a <<");
    refuse("a $(b <<E)\n$(c)\nE\nd");
}

/// Some text has a second meaning, because bash expands what it has expanded already.
#[test]
fn p5_what_bash_expands_twice_is_not_read() {
    check(
        "a >&'b' 2>&\"$c\"; [[ -v d[$(e)] && '$(f)' == '$(g)' ]]",
        "a; e",
    );
    for twice in [
        "a >&'$(b)'",
        "a >&\"\\$(b)\"",
        "a >&'<(b)'",
        "[[ -v 'a[$(b)]' ]]",
        "[[ 'a[$(b)]' -eq 1 ]]",
        "((a[\\$(b)]))",
        "a {b['$(c)']}>d",
    ] {
        refuse(twice);
    }
}

/// Bash 5.2 prints the commands of a substitution and reads what it printed, and some things do not survive that.
#[test]
fn p5_what_bash_garbles_in_substitutions_is_not_read() {
    check("coproc a; <b ! c; d <<E; e; f\nE", "a; ! c; d; e; f");
    for garbled in [
        "a $(coproc b)",
        "a $(<b ! c)",
        "a $(b <<E; c; d\nE\n)",
        "a $(b <<E\nE\nc; d; e)",
    ] {
        refuse(garbled);
    }
}

#[test]
fn p5_redirections() {
    check(
        "a <b >c >>d 2>e >|f <>g &>h &>>i >&j 3<&4 5>&- <<<k {l}>m",
        "a",
    );
    check("<a >b c d", "c d");
    check(">a", "");
    check("a 2 >b 2>c d2>e 99999999999>f", "a 2 d2 99999999999");
    check("a >&-b", "a b");
    check("a &>b&c", "a; c");
    check("<a if", "if");
    refuse("a >");
    refuse("a > > b");
    refuse("{ { a; } >b }");
}

#[test]
fn p5_compound_commands() {
    check("if a; then b; elif c; then d; else e; fi", "a; b; c; d; e");
    check("while a; do b; done; until c; do d; done", "a; b; c; d");
    check(
        "for x in a b; do c; done; for x do d; done; for x; do e; done; for x\nin a; { f; }",
        "c; d; e; f",
    );
    check("for ((;;)) do a; done; for ((i=0;i<3;i++)); { b; }", "a; b");
    check("select x in a; do b; done", "b");
    check(
        "case a in b|c) d;; (e) f;& g) h;;& *) i; esac; case a in esac",
        "d; f; h; i",
    );
    check("case esac in (esac) a;; esac", "a");
    check("{ a; }; { (b) }; (c); { a\n}", "a; b; c; a");
    check("if (a) then { b; } fi", "a; b");
    check("if [[ a ]] then b; fi; { ((1)) }", "b");
    check("echo if then { } ! [[", "echo if then { } ! [[");
    check("x=1 if", "if");
    for wrong in [
        "if a; then fi",
        "while a; b; done",
        "{ a }",
        "{ a;",
        "case a in b) c",
        "for 1 in a; do b; done",
    ] {
        refuse(wrong);
    }
}

#[test]
fn p5_functions_and_coprocesses() {
    check(
        "f() { a; }; f ( ) (b); function g { c; }; function h() { d; }; function i (e)",
        "a; b; c; d; e",
    );
    check(
        "f()\n\n{ a; }; function if { b; }; g() [[ a ]]; h() ((1)); i() for x in a; do c; done",
        "a; b; c",
    );
    check(
        "coproc a b; coproc { c; }; coproc N { d; }; coproc N (e); coproc while f; do g; done",
        "a b; c; d; e; f; g",
    );
    refuse("f() a");
    refuse("$f() { a; }");
    refuse("x=1 f() { a; }");
    refuse("f(a) { b; }");
}

#[test]
fn p5_assignments_and_arrays() {
    check("a=b c=d e f=g", "e f=g");
    check("a=(b c $(d)) e=([f]=g [h]+=i) j+=(k)", "d");
    check("declare -a a=(b $(c)) d", "declare -a ? d; c");
    check("a=(\nb # )\nc)", "");
    check("a[b c]=d e", "e");
    check("a= b", "b");
    for wrong in [
        "a=(b; c)",
        "echo a=(b)",
        "a =(b)",
        "a=(b",
        "a[1]=(b)",
        "a=(b=(c))",
    ] {
        refuse(wrong);
    }
}

#[test]
fn p5_tests_and_patterns() {
    check(
        "[[ a ]]; [[ ! a && ( b || c ) ]]; [[ a =~ (b c|d) ]]; [[ a == @(b|c) ]]; [[ a < b ]]",
        "",
    );
    check("[[ a ]]; [[ a &&\n b ]]", "");
    check(
        "shopt -s extglob\na !(b|$(c)) *(d)",
        "shopt -s extglob; a ? ?; c",
    );
    refuse("a !(b)");
    refuse("shopt -s extglob\n!(a)");
    refuse("[[ a b ]]");
    refuse("[[ -f ]]");
    refuse("[[ ]]");
    refuse("[[ a");
}

#[test]
fn p5_extended_patterns_are_on_off_or_by_the_text() {
    let reads = |source: &str, extended| {
        let limits = Limits {
            extended,
            ..Limits::default()
        };
        read_with(source, limits).is_ok()
    };
    for (source, off, on, by_text) in [
        ("a @(b|c)", false, true, false),
        ("shopt -s extglob\na @(b|c)", false, true, true),
        ("case a in !(b)) c;; esac", false, true, false),
        ("[[ a == !(b) ]]", true, true, true),
        // A negated subshell, or a pattern for the name of a command.
        ("!(a)", true, false, true),
        ("a && !(b)", true, false, true),
        ("f?() { a; }", true, false, true),
    ] {
        assert_eq!(reads(source, Extended::Off), off, "{source:?}");
        assert_eq!(reads(source, Extended::On), on, "{source:?}");
        assert_eq!(reads(source, Extended::ByText), by_text, "{source:?}");
    }
}

#[test]
fn p5_inputs_that_other_readers_misread() {
    check("( ( touch p ) )", "touch p");
    check("cat <<E >/tmp/x$(touch p)\nbody\nE", "cat; touch p");
    check(
        "cat <<E\n`touch p` ${a:?`touch q`} ${a/b/`touch r`} ${a^`touch s`}\nE",
        "cat; touch p; touch q; touch r; touch s",
    );
    check(
        "[[ a =~ `touch p` ]]; : ${x:=`touch q`}",
        "touch p; : ?; touch q",
    );
    check("echo {a,b,;touch p;c}", "echo {a,b,; touch p; c}");
    check("echo $(touch p})o", "echo ?o; touch p}");
    let deep = format!("{}$(touch p){}", "${a:-".repeat(20), "}".repeat(20));
    check(&format!("echo {deep}"), "echo ?; touch p");
    let deep = format!("{}$(touch p){}", "$((1+".repeat(20), "))".repeat(20));
    check(&format!("echo {deep}"), "echo ?; touch p");
    check(
        "a=([1$(touch p)]=2); : ${a[1$(touch q)]}",
        "touch p; : ?; touch q",
    );
    check(
        "for ((;;)); do a; done; select x in b; do c; done; for i in a b; { d; }",
        "a; c; d",
    );
    check("f() [[ a ]]; for i\nin a; do b; done; !", "b");
    check(
        "echo ${x:-a}b}; [[\na ]]; case x in esac; a\\",
        "echo ?b}; a\\",
    );
    check("cat <<A <<B; cat <>f\nA\nB\n", "cat; cat");
    check("while(true)do a; done; {rm,-rf,/}", "true; a; ?");
    refuse("echo ${\u{f0000}");
}
