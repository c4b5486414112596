//! Actions, their templates, and what rendered parameters must be.

use hookc_schema::Span;
use hookc_schema::value::{Kind, Value};
use hookc_schema::vocab::ParamType;

use super::{Action, ActionId, Builder, Check, CheckId, Left, Param, Template, TemplateId};
use crate::ir::{CheckedAction, CheckedParam, Reason, Rendered};

impl Builder {
    pub(super) fn action(&mut self, action: &CheckedAction) -> ActionId {
        let kind = self.pool.string(&action.kind);
        let params = action.params.iter().map(|(key, param)| self.param(key, param)).collect();
        ActionId::new(self.actions.add(Action { kind, params }))
    }

    fn param(&mut self, key: &str, param: &CheckedParam) -> Param {
        self.has_rules |= key == "if";
        let key = self.pool.string(key);
        let value = self.template(&param.value);
        let rendered = !matches!(param.value, Rendered::Const(_));
        let declared = param.declared.as_ref().filter(|_| rendered);
        Param { key, value, check: declared.and_then(|declared| self.check(declared)) }
    }

    /// The recursion is bounded by the nesting of a source.
    fn template(&mut self, value: &Rendered) -> TemplateId {
        let node = match value {
            Rendered::Const(value) => Template::Const(self.pool.constant(value)),
            Rendered::Slot(path, default) => {
                let default = default.as_ref().map(|default| self.pool.constant(default));
                match self.left(path) {
                    Left::Query(query) => Template::Nodes(query, default),
                    Left::Recall(recall) => Template::Recall(recall, default),
                    _ => Template::Slot(self.slot(path), default),
                }
            }
            Rendered::Because(reasons) => {
                let reason =
                    |reason: &Reason| (self.condition(&reason.when), self.effect(&reason.effect.node));
                Template::Because(reasons.iter().map(reason).collect())
            }
            Rendered::Text(parts) => Template::Text(self.parts(parts)),
            Rendered::Seq(parts) => Template::Array(self.parts(parts)),
            Rendered::Map(members) => {
                let member = |(key, value): &(String, Rendered)| {
                    let value = self.template(value);
                    (self.pool.string(key), value)
                };
                Template::Object(members.iter().map(member).collect())
            }
        };
        TemplateId::new(self.templates.add(node))
    }

    fn parts(&mut self, parts: &[Rendered]) -> Vec<TemplateId> {
        parts.iter().map(|part| self.template(part)).collect()
    }

    /// `None` if anything is allowed.
    fn check(&mut self, declared: &ParamType) -> Option<CheckId> {
        let allowed = declared.allowed.as_ref().map(|allowed| self.pool.list(allowed));
        let minimum = declared.minimum.as_ref().map(|least| {
            let value = Value::new(Kind::Num(least.clone()), Span::default());
            self.pool.constant(&value)
        });
        let check = Check { types: declared.types.0, allowed, minimum };
        let any = check.types == 0 && allowed.is_none() && minimum.is_none();
        (!any).then(|| CheckId::new(self.checks.add(check)))
    }
}
