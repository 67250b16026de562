//! The little HTML there is: escaped, without scripts, styles or outside parts.

use tracker_wire::Problem;

/// The media type of a page.
pub(crate) const TYPE: &str = "text/html; charset=utf-8";

/// Text with the characters replaced that mean something in HTML.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(letter),
        }
    }
    out
}

/// A whole page around a body that is HTML already.
pub(crate) fn document(title: &str, body: &str) -> String {
    let title = escaped(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} · tracker</title>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n\
         {body}</main>\n</body>\n</html>\n"
    )
}

/// A paragraph of plain text.
pub(crate) fn paragraph(text: &str) -> String {
    format!("<p>{}</p>\n", escaped(text))
}

/// A refusal, for a browser.
pub(crate) fn refusal(problem: &Problem) -> String {
    let mut body = problem.detail.as_deref().map(paragraph).unwrap_or_default();
    if let (Some(kind), Some(url)) = (&problem.kind, &problem.url) {
        let (kind, url) = (escaped(kind), escaped(url));
        body.push_str(&format!("<p>It is a {kind}: <a href=\"{url}\">{url}</a></p>\n"));
    }
    let (code, about) = (escaped(&problem.code), escaped(&problem.kind_url));
    body.push_str(&format!("<p>{} · <a href=\"{about}\">{code}</a></p>\n", problem.status));
    document(&problem.title, &body)
}

#[cfg(test)]
mod tests {
    use super::{document, escaped};

    #[test]
    fn text_cannot_become_markup() {
        assert_eq!(escaped("<a href=\"x\">'&"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;");
        assert!(document("</title><script>", "").contains("&lt;/title&gt;&lt;script&gt;"));
    }
}
