//! `token`: who may call the API.

use serde_json::json;

use crate::args::TokenCommand;
use crate::backends::Access;
use crate::failure::exit;
use crate::render::{self, Overflow};
use crate::run::Context;
use crate::terminal::{Outcome, Terminal};

/// Makes, lists or takes away tokens.
pub(crate) async fn token(
    context: &Context<'_>,
    command: TokenCommand,
    terminal: &mut Terminal<'_>,
) -> Outcome {
    context.beside_database("token")?;
    let as_json = context.global.json;
    match command {
        TokenCommand::New { name, scope } => {
            let tokens = context.backends.tokens(Access::Write).await?;
            let (token, secret) = tokens.token_new(&name, scope).await?;
            if as_json {
                render::json(terminal, &json!({ "token": token, "secret": secret }))?;
            } else {
                writeln!(terminal.err, "This is the only time it is shown:")?;
                writeln!(terminal.out, "{secret}")?;
            }
        }
        TokenCommand::List => {
            let items = context.backends.tokens(Access::Read).await?.tokens().await?;
            if as_json {
                render::json(terminal, &json!({ "items": items, "next": null }))?;
                return Ok(exit::DONE);
            }
            let rows = items
                .into_iter()
                .map(|token| {
                    let state = if token.revoked_at.is_some() { "revoked" } else { "valid" };
                    let used = token.last_used_at.unwrap_or_else(|| "never".to_owned());
                    vec![token.name, state.to_owned(), token.scope, token.created_at, used]
                })
                .collect();
            render::table(
                terminal,
                &["NAME", "STATE", "SCOPE", "CREATED", "LAST USED"],
                rows,
                Overflow::Wrap,
            )?;
        }
        TokenCommand::Revoke { name } => {
            let tokens = context.backends.tokens(Access::Write).await?;
            let token = tokens.token_revoke(&name).await?;
            if as_json {
                render::json(terminal, &token)?;
            } else {
                writeln!(terminal.out, "{}\trevoked", token.name)?;
            }
        }
    }
    Ok(exit::DONE)
}
