//! Lists, pipelines, branches and loops.

use super::super::Opaque;
use super::super::token::{Mark, Special, Token, Words, short};
use super::super::tree::{Items, Joint, List, Node, Stage};
use super::descriptors::UNKNOWN;
use super::frame::Frame;
use super::state::{Args, State, Value};
use super::{Done, Flow, Input, Pipe, Walk};
use crate::limits;

impl Walk {
    /// A pipeline after what ended with `flow`.
    pub(super) fn joined(&mut self, flow: Flow, joint: Joint, stages: &[Stage]) -> Done<Flow> {
        match (joint, flow) {
            (Joint::And, Flow::Ok) => self.pipeline(stages),
            (Joint::And, Flow::Same) => {
                let before = self.state.clone();
                let flow = self.pipeline(stages)?;
                self.fails_too(flow, before)
            }
            (Joint::And, Flow::Split(before)) => {
                let flow = self.pipeline(stages)?;
                self.fails_too(flow, before)
            }
            // The state after success is that before, or that of this pipeline.
            (Joint::Or, flow) => {
                let succeeded = self.state.clone();
                let certain = matches!(flow, Flow::Ok);
                if let Flow::Split(failed) = flow {
                    self.state = failed;
                }
                let flow = self.pipeline(stages)?;
                if certain {
                    self.state = succeeded;
                    return Ok(Flow::Ok);
                }
                let failed = match flow {
                    Flow::Ok => None,
                    Flow::Same => Some(self.state.clone()),
                    Flow::Split(failed) => Some(failed),
                };
                let other = if self.ends(stages) { None } else { Some(std::mem::take(&mut self.state)) };
                self.state = succeeded;
                match other {
                    Some(other) => {
                        self.merge(&other);
                        Ok(failed.map_or(Flow::Ok, Flow::Split))
                    }
                    // `cd x || exit`
                    None => Ok(Flow::Ok),
                }
            }
            (Joint::Next | Joint::Pipe, flow) => {
                self.settle(flow);
                self.pipeline(stages)
            }
        }
    }

    /// Whether nothing after these runs.
    fn ends(&self, stages: &[Stage]) -> bool {
        let [Stage { node: Node::Simple(simple), background: false, .. }] = stages else { return false };
        let name = self.arena.word(simple.words, 0).and_then(|name| self.arena.literal(name));
        let is_end = matches!(name, Some("exit" | "return"));
        let symbol = name.and_then(|name| self.arena.known_symbol(name));
        let known = symbol.is_some_and(|name| {
            self.state.names().functions.iter().any(|(defined, _)| *defined == name)
                || self.state.names().aliases.iter().any(|(defined, _)| *defined == name)
        });
        is_end && !known
    }

    fn fails_too(&mut self, flow: Flow, mut before: State) -> Done<Flow> {
        match flow {
            Flow::Ok => Ok(Flow::Split(before)),
            Flow::Same => {
                std::mem::swap(&mut self.state, &mut before);
                let changed = self.merge_failed(&before);
                let (names, other) = (self.state.names(), before.names());
                let differs = changed
                    || !names.variables.is_same(&other.variables)
                    || !names.functions.is_same(&other.functions);
                std::mem::swap(&mut self.state, &mut before);
                let differs = differs || self.state.place != before.place;
                Ok(if differs { Flow::Split(before) } else { Flow::Same })
            }
            Flow::Split(failed) => {
                let succeeded = std::mem::replace(&mut self.state, before);
                self.merge_failed(&failed);
                let failed = std::mem::replace(&mut self.state, succeeded);
                Ok(Flow::Split(failed))
            }
        }
    }

    /// One state for both ways.
    pub(super) fn settle(&mut self, flow: Flow) {
        if let Flow::Split(failed) = flow {
            self.merge_failed(&failed);
        }
    }

    fn pipeline(&mut self, stages: &[Stage]) -> Done<Flow> {
        self.frame.is_required &= !stages.first().is_some_and(|stage| stage.negated);
        if let [stage] = stages {
            return if stage.background { self.background(stage) } else { self.single(stage) };
        }
        if stages.len() > limits::SHELL_WORDS {
            return Err(Cause::TooManyCommands);
        }
        let in_background = stages.last().is_some_and(|stage| stage.background);
        let run =
            |walk: &mut Self| walk.lasting(in_background, |walk| walk.repeated(|walk| walk.piped(stages)));
        self.with_pipe(self.pipe, |walk| walk.framed(run))?;
        Ok(Flow::Same)
    }

    /// A command that is a job of its own.
    fn background(&mut self, stage: &Stage) -> Done<Flow> {
        let run = |walk: &mut Self| walk.lasting(true, |walk| walk.single(stage));
        let (flow, succeeded) = self.with_pipe(self.pipe, |walk| walk.forked(run))?;
        let outer = std::mem::replace(&mut self.state, succeeded);
        self.note_sets(&outer);
        if let Flow::Split(failed) = flow {
            self.state = failed;
            self.note_sets(&outer);
        }
        self.state = outer;
        Ok(Flow::Same)
    }

    /// A pipeline of one command.
    fn single(&mut self, stage: &Stage) -> Done<Flow> {
        let flow = if stage.timed && !self.frame.is_bash {
            self.maybe(|walk| walk.timed(&stage.node))?
        } else {
            self.node(&stage.node)?
        };
        Ok(match flow {
            Flow::Split(failed) if stage.negated => {
                let succeeded = std::mem::replace(&mut self.state, failed);
                Flow::Split(succeeded)
            }
            Flow::Ok if stage.negated => Flow::Same,
            flow => flow,
        })
    }

    /// The commands of a pipeline, each with the output of the one before it.
    fn piped(&mut self, stages: &[Stage]) -> Done<()> {
        let (pipe, outer) = (self.pipe, self.frame);
        let (start, mut stage_pipes) = (self.here(), std::mem::take(&mut self.spare.stages));
        for (at, stage) in stages.iter().enumerate() {
            let last = at + 1 == stages.len();
            let is_required = outer.is_required && (last || outer.has_pipefail);
            self.frame = Frame { wants_output: !last || outer.wants_output, is_required, ..outer };
            if at > 0 {
                let (text, outer) = (self.output.take(), self.input());
                let from = (start, self.here());
                let input = self.add_input(Input { from, outer, text, ..Input::default() });
                self.open_input(input);
            }
            self.pipe = pipe;
            if !last {
                self.open_output();
                self.pipes.push(Pipe { outer: pipe, ..Pipe::default() });
                self.pipe = short(self.pipes.len() - 1);
                stage_pipes.push(self.pipes.len() - 1);
            }
            self.output = None;
            if last {
                self.last_stage(&stage.node)?;
            } else {
                self.in_subshell(|walk| walk.node(&stage.node))?;
            }
            let here = self.here();
            if let Some(pipe) = stage_pipes.get(at).and_then(|at| self.pipes.get_mut(*at)) {
                pipe.start = here;
            }
            // Only what the first stage writes as a literal is known.
            if at > 0 {
                self.output = None;
            }
        }
        let end = self.here();
        for at in stage_pipes.drain(..) {
            if let Some(pipe) = self.pipes.get_mut(at) {
                pipe.end = end;
            }
        }
        self.spare.stages = stage_pipes;
        Ok(())
    }

    /// Runs what another shell than bash may not have: afterwards, values are known if it changes nothing.
    pub(super) fn maybe(&mut self, inner: impl FnOnce(&mut Self) -> Done<Flow>) -> Done<Flow> {
        let before = self.state.clone();
        let flow = inner(self)?;
        self.settle(flow);
        self.merge(&before);
        Ok(Flow::Same)
    }

    /// A command after `time`, which is a program to some shells, and starts programs.
    fn timed(&mut self, node: &Node) -> Done<Flow> {
        let names = self.state.names();
        if !names.functions.is_empty() || !names.aliases.is_empty() {
            self.opaque(Opaque::Code);
        }
        self.node(node)
    }

    /// The last stage of a pipeline: zsh, ksh and `shopt -s lastpipe` run it in the shell itself, other
    /// shells apart.
    fn last_stage(&mut self, node: &Node) -> Done<()> {
        let ((), inner) = self.forked(|walk| {
            let flow = walk.node(node)?;
            walk.settle(flow);
            Ok(())
        })?;
        self.merge(&inner);
        Ok(())
    }

    pub(super) fn node(&mut self, node: &Node) -> Done<Flow> {
        self.step(1)?;
        self.output = None;
        match node {
            Node::Simple(_) | Node::Group(_) | Node::Subshell(_) | Node::Redirected(..) => self.stage(node),
            _ => self.optional(|walk| walk.stage(node)),
        }
    }

    fn stage(&mut self, node: &Node) -> Done<Flow> {
        match node {
            Node::Simple(simple) => return self.simple(simple),
            Node::Nothing => {}
            Node::Group(list) => self.nested(|walk| walk.body(list))?,
            Node::Subshell(list) => self.nested(|walk| walk.in_subshell(|walk| walk.body(list)))?,
            Node::Coprocess(list) => self.nested(|walk| walk.coprocess(list))?,
            Node::If(arms, otherwise) => self.nested(|walk| walk.branches(arms, otherwise))?,
            Node::While(condition, body) => {
                self.nested(|walk| {
                    walk.repeat(&mut |walk| {
                        walk.without_output(|walk| walk.list(condition))?;
                        walk.without_output(|walk| walk.list(body))
                    })
                })?;
            }
            Node::For(name, items, body) => self.nested(|walk| walk.each(*name, *items, body))?,
            Node::Arithmetic(inner) => self.calculate(*inner)?,
            Node::Count(inner, body) => {
                self.calculate(*inner)?;
                self.nested(|walk| walk.repeat(&mut |walk| walk.without_output(|walk| walk.list(body))))?;
            }
            Node::Case(word, arms) => self.nested(|walk| walk.cases(*word, arms))?,
            Node::Function(name, body) => {
                if let Some(name) = self.arena.literal(*name).map(str::to_owned) {
                    if super::is_zsh_hook(&name) {
                        self.opaque(Opaque::Code);
                    }
                    let name = self.arena.symbol(&name);
                    self.define(name, body);
                } else {
                    self.functions.push((body.clone(), false));
                }
                return Ok(Flow::Ok);
            }
            Node::Test(words) => self.test(*words)?,
            Node::Redirected(node, redirects) => {
                let (outer, pipe, sinks) = (self.frame, self.pipe, self.sinks.len());
                let targets = self.targets(*redirects)?;
                self.open_targets(targets, false);
                self.write_to_sinks(sinks);
                let (place, lost, start) = (self.state.place, self.state.lost, self.here());
                let writes = self.writes(targets);
                self.frame.wants_output |= writes;
                let flow = self.node(node)?;
                let text = self.output.take();
                self.remember_targets(start, targets, text, (place, lost))?;
                let via = self.frame.via;
                self.output = None;
                self.emit(super::Seen { redirects: targets, place, via, pipe, ..super::Seen::default() })?;
                (self.frame, self.pipe) = (outer, pipe);
                return Ok(flow);
            }
        }
        Ok(Flow::Same)
    }

    /// What the shell writes to a coprocess is unknown.
    fn coprocess(&mut self, list: &List) -> Done<()> {
        self.lasting += 1;
        self.in_subshell(|walk| {
            walk.with_input(UNKNOWN, |walk| {
                walk.open_output();
                walk.body(list)
            })
        })?;
        self.lasting -= 1;
        Ok(())
    }

    /// The list of a group: its output is known if it is one command.
    fn body(&mut self, list: &List) -> Done<()> {
        if list.0.len() == 1 { self.list(list) } else { self.without_output(|walk| walk.list(list)) }
    }

    fn branches(&mut self, arms: &[(List, List)], otherwise: &List) -> Done<()> {
        self.without_output(|walk| {
            let mut ends: Vec<State> = Vec::new();
            for (condition, then) in arms {
                walk.list(condition)?;
                ends.push(walk.forked(|walk| walk.list(then))?.1);
            }
            walk.list(otherwise)?;
            ends.iter().for_each(|end| _ = walk.merge(end));
            Ok(())
        })
    }

    fn cases(&mut self, word: Token, arms: &[(Words, bool, List)]) -> Done<()> {
        self.inner(word)?;
        self.without_output(|walk| walk.arms(arms))
    }

    fn arms(&mut self, arms: &[(Words, bool, List)]) -> Done<()> {
        let before = self.state.clone();
        let (mut ends, mut continues) = (Vec::new(), false);
        for (patterns, next, list) in arms {
            if !continues {
                self.state = before.clone();
            } else {
                self.merge(&before);
            }
            for at in 0..patterns.len {
                if let Some(pattern) = self.arena.word(*patterns, at) {
                    self.inner(pattern)?;
                }
            }
            self.list(list)?;
            ends.push(self.state.clone());
            continues = *next;
        }
        self.state = before;
        for end in ends {
            self.merge(&end);
        }
        Ok(())
    }

    /// A body that runs any number of times.
    pub(super) fn repeat(&mut self, body: &mut dyn FnMut(&mut Self) -> Done<()>) -> Done<()> {
        self.breaks.push(Vec::new());
        self.repeated(|walk| {
            for pass in 0.. {
                let ((), after) = walk.forked(&mut *body)?;
                let mut changed = walk.merge(&after);
                let breaks = walk.breaks.last_mut().map(std::mem::take).unwrap_or_default();
                for state in &breaks {
                    changed |= walk.merge(state);
                }
                if !changed || pass > 3 {
                    break;
                }
                if pass == 3 {
                    walk.forget();
                }
            }
            Ok(())
        })?;
        self.breaks.pop();
        Ok(())
    }

    fn each(&mut self, name: Token, items: Items, body: &List) -> Done<()> {
        if matches!(items, Items::Chosen(_)) {
            // `select` stores the user's line in `REPLY`.
            self.unknown_name("REPLY");
        }
        let Some(name) = self.arena.literal(name).map(str::to_owned) else {
            return self.repeat(&mut |walk| walk.without_output(|walk| walk.list(body)));
        };
        let name = self.arena.symbol(&name);
        let items = match items {
            Items::Listed(items) | Items::Chosen(items) => {
                let mut words = Vec::new();
                for at in 0..items.len {
                    if let Some(word) = self.arena.word(items, at) {
                        self.fields(word, &mut words)?;
                    }
                }
                words
            }
            Items::Positions => match self.args() {
                Args::Known(words) => self.arena.words(words).to_vec(),
                Args::Unknown => vec![self.unknown("$@")],
                Args::None | Args::Outside => vec![self.inert("$@")],
            },
        };
        self.flows_into(Some(name), &items);
        // A glob becomes names of files, an unknown word any number of words. A loop over none shows what it is for.
        let is_plain = |token: &Token| self.arena.literal(*token).is_some();
        let unrolled = self.unrolled * items.len().max(1);
        let is_known = !items.is_empty() && items.iter().all(is_plain);
        if is_known && unrolled <= limits::SHELL_WORDS * 4 {
            let outer = std::mem::replace(&mut self.unrolled, unrolled);
            self.breaks.push(Vec::new());
            self.repeated(|walk| {
                for item in items {
                    walk.store(name, Value::Text(item))?;
                    walk.without_output(|walk| walk.list(body))?;
                }
                Ok(())
            })?;
            for state in self.breaks.pop().unwrap_or_default() {
                self.merge(&state);
            }
            self.unrolled = outer;
            return Ok(());
        }
        let raw = match items.as_slice() {
            [one] => self.arena.text(*one).to_owned(),
            _ => String::new(),
        };
        let runs = |item: &Token| self.arena.has(*item, |kind| kind.may_be_code() || kind == Special::Glob);
        let may_be_code = items.iter().any(runs);
        let value = if raw.is_empty() {
            if may_be_code { Value::Unknown } else { Value::Inert }
        } else {
            let kind = if may_be_code { Special::Unknown } else { Special::Inert };
            let marks = [Mark { at: 0, len: short(raw.len()), kind }];
            let mut origins: Vec<Mark> =
                items.iter().flat_map(|item| self.arena.marks(*item)).copied().collect();
            origins.retain(|mark| matches!(mark.kind, Special::Origin(_)));
            origins.iter_mut().for_each(|mark| mark.at = 0);
            origins.extend(marks);
            Value::Text(self.arena.push(&raw, &origins, true))
        };
        let before = self.state.clone();
        self.store(name, value)?;
        self.repeat(&mut |walk| {
            walk.store(name, value)?;
            walk.without_output(|walk| walk.list(body))
        })?;
        self.merge(&before);
        Ok(())
    }
}

use super::super::Cause;
