//! Queries and forms, as the stubs read them.

/// Names and values of `a=1&b=2`, decoded.
pub(crate) fn pairs(text: &str) -> Vec<(String, String)> {
    text.split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (decode(name), decode(value)))
        .collect()
}

fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let escaped = (*first == b'%').then(|| tail.get(..2)).flatten();
        let byte = escaped
            .and_then(|two| std::str::from_utf8(two).ok())
            .and_then(|two| u8::from_str_radix(two, 16).ok());
        match (byte, first) {
            (Some(byte), _) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            (None, b'+') => {
                bytes.push(b' ');
                rest = tail;
            }
            (None, other) => {
                bytes.push(*other);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
