//! The table of `hookc list`. With `-v` it has all columns in full. Else it fits the terminal: columns with the same
//! value for every hook are omitted, and long cells wrap. In a pipe, each hook is one line of at most 120 columns, and
//! long cells are cut.

use comfy_table::{ColumnConstraint, ContentArrangement};
use hookc_base::Mode;
use hookc_schema::terminal::escape;

use super::{Row, spelled};
use crate::screen::{self, PIPE};

/// The value of an empty column.
#[derive(Clone, Copy)]
enum EmptyCell {
    /// Equal in every row.
    Same,
    /// This.
    Word(&'static str),
}

/// Columns of words, which do not wrap.
const WORDS: [&str; 7] = ["event", "layer", "priority", "enabled", "blocking", "mode", "action"];

/// A column: its head and its empty value.
struct Column {
    head: &'static str,
    usual: Option<EmptyCell>,
    cells: Vec<String>,
}

impl Column {
    /// Cuts cells to a number of columns of the terminal. The start of a location can be guessed, its end not.
    fn cut(&mut self, limit: usize) {
        let cut = if self.head == "source" { screen::cut_start } else { screen::cut };
        for cell in &mut self.cells {
            *cell = cut(cell, limit);
        }
    }
}

/// The columns of a cell in a pipe: of a text, of a location, of another one, and of an id. Fewer if the line is
/// still too wide; with the last ones, all columns fit.
const CELLS: [[usize; 4]; 12] = [
    [60, 60, 60, 60],
    [40, 60, 60, 60],
    [24, 40, 60, 60],
    [16, 30, 60, 60],
    [16, 20, 40, 60],
    [12, 16, 24, 60],
    [12, 12, 16, 60],
    [12, 12, 12, 40],
    [12, 12, 12, 24],
    [12, 12, 12, 12],
    [8, 8, 8, 8],
    [6, 6, 6, 6],
];

/// Columns of texts, which are cut first.
const TEXT_COLUMNS: [&str; 5] = ["when", "if", "summary", "effects", "command"];

/// The table for a terminal of this width, or for a pipe.
pub(super) fn text(rows: &[Row], verbose: bool, width: Option<u16>) -> String {
    let mut columns = columns(rows, verbose);
    let full = rendered(&columns.iter().collect::<Vec<_>>(), None);
    if width.is_none() && verbose || fits(&full, width.unwrap_or(PIPE)) {
        return full;
    }
    let says = |column: &&Column| match column.usual {
        None => true,
        Some(EmptyCell::Same) => column.cells.iter().any(|cell| Some(cell) != column.cells.first()),
        Some(EmptyCell::Word(usual)) => column.cells.iter().any(|cell| !cell.is_empty() && cell != usual),
    };
    if width.is_some() {
        return rendered(&columns.iter().filter(says).collect::<Vec<_>>(), width);
    }
    let mut line = String::new();
    for [text, location, other, id] in CELLS {
        for column in &mut columns {
            column.cut(match column.head {
                "id" => id,
                head if TEXT_COLUMNS.contains(&head) => text,
                "source" => location,
                _ => other,
            });
        }
        line = rendered(&columns.iter().filter(says).collect::<Vec<_>>(), None);
        if fits(&line, PIPE) {
            break;
        }
    }
    line
}

fn fits(table: &str, width: u16) -> bool {
    table.lines().all(|line| screen::columns(line) <= usize::from(width))
}

fn columns(rows: &[Row], verbose: bool) -> Vec<Column> {
    let yes = |truth: bool| if truth { "yes" } else { "no" }.to_owned();
    let column = |head, usual, cell: &dyn Fn(&Row) -> String| {
        let cells = rows.iter().map(|row| escape(&cell(row)).into_owned()).collect();
        Column { head, usual, cells }
    };
    let mut columns = vec![
        column("id", None, &|row| match (row.id.as_str(), row.rank) {
            ("", Some(rank)) => format!("rank {rank}"),
            (id, _) => id.to_owned(),
        }),
        column("event", None, &|row| row.event.clone()),
        column("layer", Some(EmptyCell::Same), &|row| row.layer.to_owned()),
        column("priority", Some(EmptyCell::Word("0")), &|row| {
            row.priority.as_ref().map_or_else(String::new, |priority| priority.get().to_owned())
        }),
        column("enabled", Some(EmptyCell::Word("yes")), &|row| yes(row.enabled)),
        column("blocking", Some(EmptyCell::Word("yes")), &|row| row.blocking.map_or_else(String::new, yes)),
        column("mode", Some(EmptyCell::Word(Mode::Enforce.name())), &|row| row.mode.to_owned()),
        column("when", Some(EmptyCell::Word("")), &|row| row.matches.clone().unwrap_or_default()),
        column("if", Some(EmptyCell::Word("")), &|row| row.rule.clone().unwrap_or_default()),
        column("action", None, &|row| row.action.clone()),
        column("source", Some(EmptyCell::Word("")), &|row| row.source.clone()),
    ];
    columns
        .push(column("summary", Some(EmptyCell::Word("")), &|row| row.summary.clone().unwrap_or_default()));
    columns.push(column("effects", Some(EmptyCell::Word("")), &effects));
    // What no hook has needs no column anywhere.
    let rare = |column: &Column| ["if", "summary", "effects"].contains(&column.head);
    columns.retain(|column| !rare(column) || column.cells.iter().any(|cell| !cell.is_empty()));
    if verbose {
        columns.push(column("command", Some(EmptyCell::Word("")), &command));
    }
    columns
}

/// The declared effects, separated by commas.
fn effects(row: &Row) -> String {
    let word = |value: &serde_json::Value| match value {
        serde_json::Value::String(name) => name.clone(),
        serde_json::Value::Object(members) => members
            .iter()
            .map(|(name, detail)| format!("{name}: {}", hookc_base::action::word(detail)))
            .collect(),
        other => other.to_string(),
    };
    row.effects.iter().map(word).collect::<Vec<_>>().join(", ")
}

/// What the hook starts, and the arguments that the policy trusts.
fn command(row: &Row) -> String {
    let trusted = row.trusted_args.as_ref().map(|args| format!("  # trusted_args: {args}"));
    row.command.as_ref().map(spelled).into_iter().chain(trusted).collect()
}

fn rendered(columns: &[&Column], width: Option<u16>) -> String {
    let mut table = screen::table(columns.iter().map(|column| column.head));
    if let Some(width) = width {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    let words = |column: &&Column| WORDS.contains(&column.head);
    let widest =
        |column: &&Column| column.cells.iter().map(|cell| screen::columns(cell)).max().unwrap_or(0) + 2;
    let fixed: usize = columns.iter().copied().filter(words).map(|column| widest(&column)).sum();
    if width.is_some_and(|width| fixed * 2 <= usize::from(width)) {
        for (at, column) in columns.iter().enumerate() {
            if let Some(cells) = table.column_mut(at).filter(|_| words(column)) {
                cells.set_constraint(ColumnConstraint::ContentWidth);
            }
        }
    }
    let rows = columns.first().map_or(0, |column| column.cells.len());
    for row in 0..rows {
        table.add_row(
            columns.iter().map(|column| column.cells.get(row).map(String::as_str).unwrap_or_default()),
        );
    }
    screen::lines(&table)
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;

    use super::*;

    fn row(id: &str, when: &str, rule: Option<&str>) -> Row {
        Row {
            id: id.to_owned(),
            event: "PreToolUse".to_owned(),
            layer: "project",
            priority: RawValue::from_string("0".to_owned()).ok(),
            enabled: true,
            blocking: Some(true),
            mode: "enforce",
            matches: Some(when.to_owned()),
            rule: rule.map(str::to_owned),
            action: "run".to_owned(),
            command: None,
            trusted_args: None,
            summary: None,
            effects: Vec::new(),
            source: format!(".claude/settings.json:{}:1", id.len()),
            rank: None,
        }
    }

    #[test]
    fn a_narrow_terminal_loses_no_information() {
        let long =
            "tool_name in ['Write', 'Edit', 'MultiEdit', 'NotebookEdit'] and exists(tool_input.file_path)";
        let rows = [row("a", long, Some("Bash(git push *)")), row("b", "always", None)];
        let full = text(&rows, true, None);
        assert!(
            full.contains(long) && full.contains("priority") && full.contains("Bash(git push *)"),
            "{full}"
        );
        for width in [60, 80, 100] {
            let fitted = text(&rows, false, Some(width));
            assert!(fitted.lines().all(|line| line.chars().count() <= usize::from(width)), "{fitted}");
            assert!(!fitted.contains("priority") && fitted.contains("if"), "{fitted}");
            let letters = |text: &str| text.chars().filter(|c| *c == 'M').count();
            assert_eq!(letters(&fitted), letters(&full));
        }
        assert_eq!(text(&rows, true, Some(300)), full);
    }

    #[test]
    fn a_line_in_a_pipe_is_at_most_120_columns_wide() {
        let long = "some(c in shell(tool_input.command).commands: c.name == 'git') or ".repeat(40);
        let id = "a_very_long_id_of_a_hook_".repeat(8);
        let rows = [row(&id, &long, None), row("b", "always", None)];
        let cut = text(&rows, false, None);
        assert!(fits(&cut, PIPE) && cut.contains('…') && cut.contains("always"), "{cut}");
        let wide = [row(&"日本".repeat(60), &format!("tool_name == '{}'", "日本".repeat(60)), None)];
        let cut = text(&wide, false, None);
        assert!(fits(&cut, PIPE), "{cut}");
        // Each column says something, and all of them are long.
        let word = "日本".repeat(30);
        let wide_row = |at: usize| Row {
            event: word.clone(),
            layer: if at == 0 { "project" } else { "user" },
            priority: RawValue::from_string("100000000000".to_owned()).ok(),
            enabled: false,
            blocking: Some(false),
            mode: "monitor",
            action: word.clone(),
            summary: Some(word.clone()),
            effects: vec![word.as_str().into()],
            ..row(&word, &word, Some(&word))
        };
        let cut = text(&[wide_row(0), wide_row(1)], false, None);
        assert!(fits(&cut, PIPE) && cut.lines().count() == 3, "{cut}");
        assert!(text(&rows, true, None).contains(&long));
    }
}
