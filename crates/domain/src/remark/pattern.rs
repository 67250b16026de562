//! Sentences with names in braces, and the values found in a text by them.

/// The names in a pattern, in their order.
pub(super) fn names(pattern: &'static str) -> impl Iterator<Item = &'static str> {
    pattern.split('{').skip(1).filter_map(|piece| Some(piece.split_once('}')?.0))
}

/// Lays the pattern over the text and asks for each way to do so whether it is the
/// one. A name further in front reaches as far as it can first, since what is free in
/// its form stands there.
pub(super) fn read<'t, T>(
    pattern: &str,
    text: &'t str,
    accept: impl Fn(&[&'t str]) -> Option<T>,
) -> Option<T> {
    let (first, rest) = pattern.split_once('{').unwrap_or((pattern, ""));
    let text = text.strip_prefix(first)?;
    let literals: Vec<&str> =
        rest.split('{').filter_map(|piece| Some(piece.split_once('}')?.1)).collect();
    fill(&literals, text, &mut Vec::new(), &accept)
}

fn fill<'t, T>(
    literals: &[&str],
    text: &'t str,
    found: &mut Vec<&'t str>,
    accept: &impl Fn(&[&'t str]) -> Option<T>,
) -> Option<T> {
    let Some((literal, rest)) = literals.split_first() else {
        return text.is_empty().then(|| accept(found)).flatten();
    };
    if rest.is_empty() {
        found.push(text.strip_suffix(literal)?);
        let read = accept(found);
        found.pop();
        return read;
    }
    text.rmatch_indices(literal).find_map(|(at, _)| {
        let (value, behind) = text.split_at_checked(at)?;
        found.push(value);
        let read = fill(rest, behind.strip_prefix(literal)?, found, accept);
        found.pop();
        read
    })
}
