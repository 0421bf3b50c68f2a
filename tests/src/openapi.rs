//! The routes of a desk, from its own OpenAPI document.

use serde_json::Value;

use crate::http::Client;

/// One route.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Route {
    /// `POST`.
    pub method: String,
    /// `/api/refund/{id}`.
    pub path: String,
}

/// Every route of the document.
pub async fn routes(client: &Client) -> Vec<Route> {
    let document = client.get("/openapi.json").await.ok(200);
    let mut routes = Vec::new();
    for (path, item) in document["paths"].as_object().into_iter().flatten() {
        for (method, _) in item.as_object().into_iter().flatten() {
            if ["get", "post", "put", "patch", "delete"].contains(&method.as_str()) {
                routes.push(Route { method: method.to_uppercase(), path: path.clone() });
            }
        }
    }
    routes.sort();
    assert!(routes.len() > 15, "the OpenAPI document lists {} routes only", routes.len());
    routes
}

impl Route {
    /// The address, with every `{…}` of the path filled.
    pub fn filled(&self, with: impl Fn(&str) -> String) -> String {
        let parts =
            self.path.split('/').map(|part| match part.strip_prefix('{').and_then(|p| p.strip_suffix('}')) {
                Some(name) => with(name),
                None => part.to_owned(),
            });
        parts.collect::<Vec<_>>().join("/")
    }
}

/// A body that fits a route: what a caller who means it would send. `refund` and `digest` are of a refund that is held.
pub fn body(path: &str, ticket: &str, digest: &str, nonce: &str) -> Value {
    use serde_json::json;
    match path {
        "/api/tickets" => json!({"subject": "s", "customer": "c", "message": "m"}),
        "/api/tickets/{id}/triage" => json!({"category": "other"}),
        "/api/tickets/{id}/reply" => json!({"message": "m"}),
        "/api/tickets/{id}/escalate" => json!({"reason": "r"}),
        "/api/agents" => json!({"ticket_id": ticket}),
        "/api/refund/stage" => json!({"ticket_id": ticket, "amount": "1.00"}),
        "/api/refund/decide" => json!({"nonce": nonce, "approved": true, "digest": digest}),
        "/api/approvals/{id}/open" => json!({"digest": digest}),
        "/api/approvals/{id}/amount" => json!({"amount": "1.00"}),
        _ => json!({}),
    }
}
