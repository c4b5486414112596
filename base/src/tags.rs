//! The tags of module rows that have no table of instructions of their own.

use crate::numbered_enums;

numbered_enums! {
    /// What a view shows: how a text of the event is read as a part of it, or what the event does. Paths have the
    /// name: `shell(PATH)`.
    ViewKind {
        0 Shell "shell" "As a command line: the commands that it starts.";
        1 File "file" "As the path of a file: where it leads.";
        2 Effects "effects" "No text: what the event does.";
        3 Size "size" "As a text, a list or an object: how long it is.";
    }

    /// What a constant is.
    ConstTag {
        0 Null "null" "`null`, without a text.";
        1 False "false" "`false`, without a text.";
        2 True "true" "`true`, without a text.";
        3 Number "number" "A number, as its canonical text.";
        4 String "string" "A string.";
        5 Array "array" "An array, as canonical compact JSON.";
        6 Object "object" "An object, as canonical compact JSON.";
    }

    /// What a template node renders.
    TemplateTag {
        0 Const "const" "A constant.";
        1 Slot "slot" "The value of a slot, or a default.";
        2 Text "text" "The texts of constants and slots, joined.";
        3 Array "array" "An array of nodes.";
        4 Object "object" "An object: keys and nodes alternate.";
        5 Nodes "nodes" "The list of the nodes that a query selects.";
        6 Because "because" "What made the condition of the hook true.";
    }

    /// Where a segment of a query selects from.
    SegmentTag {
        0 Child "child" "From the nodes so far.";
        1 Descendant "descendant" "From the nodes so far and everything below them.";
    }

    /// Which children of a node a selector selects.
    SelectorTag {
        0 Name "name" "The member of a name.";
        1 Wildcard "wildcard" "All.";
        2 Index "index" "The element at an index.";
        3 Slice "slice" "A slice of the elements.";
        4 Filter "filter" "Those for which a filter is true.";
    }

    /// What a probe of an index looks up.
    ProbeTag {
        0 Equal "equal" "The key equal to the value, absent being null.";
        1 EqualFold "equal_fold" "The key equal to the text, case-folded.";
        2 Present "present" "Whether the value is present.";
        3 Begins "begins" "The keys that are a prefix of the text.";
        4 BeginsFold "begins_fold" "The keys that are a prefix of the text, case-folded.";
        5 Ends "ends" "The keys that are a suffix of the text.";
        6 EndsFold "ends_fold" "The keys that are a suffix of the text, case-folded.";
        7 Has "has" "The keys with a gram in the text or in that of an element.";
        8 HasFold "has_fold" "The keys with a gram in the text or in that of an element, case-folded.";
        9 Within "within" "The keys with a gram in the JSON text of a list or object.";
        10 Acts "acts" "Whether a predicate about effects can be true.";
        11 Tied "tied" "The monitors that have seen the event's key under a tie.";
    }

    /// Which value of the events that it selects a recall is.
    RecallTag {
        0 Formerly "formerly" "Whether there is one.";
        1 Count "count" "How many there are.";
        2 Sum "sum" "The sum of their numbers.";
        3 Distinct "distinct" "How many different values they have.";
        4 Last "last" "A value of one of the last.";
    }

    /// How a recall compares its value.
    RelationTag {
        0 None "none" "Not: the value is read as a slot, or the recall is true or false by itself.";
        1 Eq "eq" "It equals the other value.";
        2 Gt "gt" "Both are numbers, it is greater.";
        3 Gte "gte" "Both are numbers, it is greater or equal.";
        4 Lt "lt" "Both are numbers, it is less.";
        5 Lte "lte" "Both are numbers, it is less or equal.";
    }

    /// What a recall compares its value with.
    OtherTag {
        0 Const "const" "A constant.";
        1 Slot "slot" "The value of a slot.";
        2 Recall "recall" "The value of another recall.";
    }

    /// Whose history a monitor belongs to.
    PartitionTag {
        0 Session "session" "That of the session.";
        1 Agent "agent" "That of one agent of the session.";
        2 Project "project" "That of the project.";
        3 User "user" "That of the user.";
    }

    /// What a monitor keeps.
    MonitorTag {
        0 Recent "recent" "When the latest events were.";
        1 Differing "differing" "When the latest events with different keys were.";
        2 Counter "counter" "A number of events.";
        3 Total "total" "A sum.";
        4 Sums "sums" "Times and numbers of the latest events.";
        5 Distinct "distinct" "The latest different values.";
        6 Last "last" "Values of the latest events.";
    }

    /// How a dimension of an index excludes entries.
    DimTag {
        0 Range "range" "Those whose ranges do not contain the value.";
        1 Value "value" "Those that the key equal to the value leads to.";
    }
}

impl ViewKind {
    /// Whether it reads a text, whose path is in the brackets.
    #[must_use]
    pub const fn reads_text(self) -> bool {
        !matches!(self, Self::Effects)
    }
}
