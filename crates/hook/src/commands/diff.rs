//! What a change changes, line by line.

/// Lines around a change.
const AROUND: usize = 3;

/// The lines that differ, with a few around them; empty when none does.
pub(super) fn of(before: &str, after: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - same;
    let tail = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let mut out = String::new();
    let mut lines = |mark: &str, lines: &[&str]| {
        for line in lines {
            out.push_str(&format!("{mark}{line}\n"));
        }
    };
    let (gone, came) = (part(&old, same, old.len() - tail), part(&new, same, new.len() - tail));
    if gone.is_empty() && came.is_empty() {
        return out;
    }
    lines("  ", &part(&old, same.saturating_sub(AROUND), same));
    lines("- ", &gone);
    lines("+ ", &came);
    lines("  ", &part(&old, old.len() - tail, (old.len() - tail + AROUND).min(old.len())));
    out
}

fn part<'a>(lines: &[&'a str], from: usize, to: usize) -> Vec<&'a str> {
    lines.get(from..to).unwrap_or_default().to_vec()
}

#[cfg(test)]
mod tests {
    #[test]
    fn only_what_differs_is_shown() {
        assert_eq!(super::of("a\nb\nc\n", "a\nx\nc\n"), "  a\n- b\n+ x\n  c\n");
        assert_eq!(super::of("a\n", "a\n"), "");
        assert_eq!(super::of("", "a\nb\n"), "+ a\n+ b\n");
        assert_eq!(super::of("a\na\n", "a\na\na\n"), "  a\n  a\n+ a\n");
    }
}
