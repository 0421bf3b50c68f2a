//! What is shown: elements and texts, nothing parsed as markup, no style attribute.

use proof::case::Group;
use proof::controls::{Control, Controlled};
use proof::report::{Checked, Line, Report, Totals, Verdict};
use web_sys::{Document, Element};

/// The page's part that is ours.
pub(crate) struct View {
    root: Element,
    document: Option<Document>,
    parts: Option<Parts>,
    done: usize,
}

struct Parts {
    status: Element,
    doing: Element,
    bar: Element,
    groups: Vec<(Group, Element, Element)>,
    controls: (Element, Element),
    behaved: (usize, usize),
    texts: Element,
    totals: Totals,
}

impl View {
    /// Shows the proof inside this element.
    pub(crate) fn new(root: Element) -> View {
        let document = root.owner_document();
        View { root, document, parts: None, done: 0 }
    }

    fn make(&self, tag: &str, class: &str, text: &str) -> Option<Element> {
        let made = self.document.as_ref()?.create_element(tag).ok()?;
        if !class.is_empty() {
            made.set_attribute("class", class).ok()?;
        }
        made.set_text_content(Some(text));
        Some(made)
    }

    fn add(&self, to: &Element, tag: &str, class: &str, text: &str) -> Option<Element> {
        let made = self.make(tag, class, text)?;
        to.append_child(&made).ok()?;
        Some(made)
    }

    /// Shows the empty frame. `steps` is how many cases and controls there are.
    pub(crate) fn begin(&mut self, mode: &str, steps: usize) {
        self.parts = self.frame(mode, steps);
    }

    fn frame(&self, mode: &str, steps: usize) -> Option<Parts> {
        self.root.set_text_content(None);
        self.root.set_attribute("class", "proof-body").ok()?;
        let run = self.add(&self.root, "div", "run", "")?;
        let status = self.add(&run, "p", "verdict", "Running…")?;
        status.set_attribute("role", "status").ok()?;
        let bar = self.add(&run, "progress", "", "")?;
        bar.set_attribute("max", &steps.to_string()).ok()?;
        bar.set_attribute("value", "0").ok()?;
        bar.set_attribute("aria-label", "Cases and controls that have run").ok()?;
        let doing = self.add(&run, "p", "hint", "")?;
        let how = format!(
            "Each line is one case: what was done, what a person expects and why, and what this desk answered. Tools \
             are listed and called through this page’s model context ({mode})."
        );
        self.add(&run, "p", "hint", &how)?;
        let mut groups = Vec::new();
        for group in Group::ALL {
            let (list, count) = self.section(group.title())?;
            groups.push((group, list, count));
        }
        let controls = self.section("Controls")?;
        let says = "In memory, each rule is broken on purpose, and exactly the named cases have to fail. Controls are \
                    not counted above.";
        self.add(&controls.0, "p", "hint", says)?;
        let (texts, _) = self.section("Texts of strangers")?;
        let totals = Totals::default();
        Some(Parts { status, doing, bar, groups, controls, behaved: (0, 0), texts, totals })
    }

    /// A section; gives where its content goes, and the count in its heading.
    fn section(&self, title: &str) -> Option<(Element, Element)> {
        let section = self.add(&self.root, "section", "group", "")?;
        let heading = self.add(&section, "h2", "", title)?;
        let count = self.add(&heading, "span", "count", "")?;
        Some((section, count))
    }

    /// Says what is being run.
    pub(crate) fn doing(&mut self, what: &str) {
        let Some(parts) = &self.parts else { return };
        parts.doing.set_text_content(Some(what));
        let _ = parts.bar.set_attribute("value", &self.done.to_string());
        self.done += 1;
    }

    /// Shows a case that has run.
    pub(crate) fn check(&self, checked: &Checked) {
        let Some(parts) = &self.parts else { return };
        if let Some((_, list, _)) = parts.groups.iter().find(|(group, ..)| group.as_str() == checked.group) {
            self.shown(list, checked);
        }
    }

    fn shown(&self, list: &Element, checked: &Checked) -> Option<()> {
        let (class, word) = match checked.verdict {
            Verdict::Passed => ("badge passed", "passed"),
            Verdict::Failed => ("badge failed", "failed"),
            Verdict::NotRun { .. } => ("badge", "not run"),
        };
        let body = self.entry(list, class, word, &checked.id, &checked.why, checked.failed())?;
        if let Verdict::NotRun { because } = &checked.verdict {
            self.add(&body, "p", "", &format!("Not run: {because}."))?;
        }
        let wide = self.add(&body, "div", "wide", "")?;
        let table = self.add(&wide, "table", "", "")?;
        let head = self.add(&self.add(&table, "thead", "", "")?, "tr", "", "")?;
        for title in ["Done", "Expected", "Got"] {
            self.add(&head, "th", "", title)?.set_attribute("scope", "col").ok()?;
        }
        let rows = self.add(&table, "tbody", "", "")?;
        for Line { did, expected, got, ok } in &checked.lines {
            let row = self.add(&rows, "tr", "", "")?;
            self.add(&row, "td", "wrap", did)?;
            self.add(&row, "td", "wrap", expected)?;
            let got_cell = self.add(&row, "td", "wrap", "")?;
            self.add(&got_cell, "code", if *ok { "" } else { "no" }, got)?;
        }
        Some(())
    }

    fn entry(
        &self,
        list: &Element,
        badge: &str,
        word: &str,
        name: &str,
        says: &str,
        open: bool,
    ) -> Option<Element> {
        let entry = self.add(list, "details", "route", "")?;
        if open {
            entry.set_attribute("open", "").ok()?;
        }
        let summary = self.add(&entry, "summary", "", "")?;
        self.add(&summary, "span", badge, word)?;
        if !name.is_empty() {
            self.add(&summary, "code", "", name)?;
        }
        self.add(&summary, "span", "sum", says)?;
        self.add(&entry, "div", "route-body", "")
    }

    /// Shows how many passed and failed so far.
    pub(crate) fn totals(&mut self, report: &Report) {
        let Some(parts) = &mut self.parts else { return };
        for (group, _, count) in &parts.groups {
            count.set_text_content(Some(&words(report.totals_of(*group))));
        }
        parts.totals = report.totals();
    }

    /// Shows a control that has run.
    pub(crate) fn control(&mut self, control: &Control, controlled: &Controlled) {
        let behaved = controlled.behaved();
        if let Some(parts) = &self.parts {
            self.controlled(&parts.controls.0, control, controlled);
        }
        let Some(parts) = &mut self.parts else { return };
        parts.behaved = (parts.behaved.0 + usize::from(behaved), parts.behaved.1 + 1);
        let (good, all) = parts.behaved;
        parts.controls.1.set_text_content(Some(&format!("{good} of {all} behaved")));
    }

    fn controlled(&self, list: &Element, control: &Control, controlled: &Controlled) -> Option<()> {
        let behaved = controlled.behaved();
        let (class, word) = if behaved { ("badge passed", "behaved") } else { ("badge failed", "astray") };
        let body = self.entry(list, class, word, "", &control.says, !behaved)?;
        let named = match control.red.len() {
            0 => String::from("Every case has to pass."),
            some => format!("{some} cases have to fail, and no other: {}.", control.red.join(", ")),
        };
        self.add(&body, "p", "", &named)?;
        for (what, ids) in
            [("Passed all the same", &controlled.missed), ("Failed unnamed", &controlled.stray)]
        {
            if !ids.is_empty() {
                self.add(&body, "p", "", &format!("{what}: {}.", ids.join(", ")))?;
            }
        }
        Some(())
    }

    /// Shows how many texts were tried, and what that shows.
    pub(crate) fn texts(&self, on_desk: &Report, in_memory: &Report) {
        let Some(parts) = &self.parts else { return };
        let same = |report: &Report| {
            let differs = report.checks.iter().any(|check| check.variants > 0 && !check.passed());
            if differs { "not all gave the same permit" } else { "all gave the same permit, byte for byte" }
        };
        let desk = format!(
            "On this desk: {} messages, subjects, names, headers and summaries; {}. This shows it for these texts and \
             for every part of the server they passed through.",
            on_desk.variants(),
            same(on_desk),
        );
        let memory = format!(
            "In memory: {} more; {}. There the facts that decide are numbers and enumerations: their types have no \
             place for a text, which is why it holds for every text.",
            in_memory.variants(),
            same(in_memory),
        );
        self.add(&parts.texts, "p", "", &desk);
        self.add(&parts.texts, "p", "", &memory);
    }

    /// Says what came of it. `passed` is false if anything failed, went astray or could not be run.
    pub(crate) fn end(&self, passed: bool) {
        let Some(parts) = &self.parts else { return };
        parts.bar.remove();
        parts.doing.remove();
        let _ = parts.status.set_attribute("class", if passed { "verdict yes" } else { "verdict no" });
        parts.status.set_text_content(Some(&words(parts.totals)));
        self.mark(passed);
    }

    /// Says why it could not be run.
    pub(crate) fn give_up(&self, why: &str) {
        self.root.set_text_content(None);
        let _ = self.add(&self.root, "p", "verdict no", &format!("The proof could not be run. {why}"));
        self.mark(false);
    }

    fn mark(&self, passed: bool) {
        if let Ok(Some(main)) = self.root.closest("main") {
            let _ = main.set_attribute("data-proof", if passed { "passed" } else { "failed" });
        }
    }
}

fn words(totals: Totals) -> String {
    let Totals { passed, failed, not_run } = totals;
    let rest = if not_run == 0 { String::new() } else { format!(", {not_run} not run") };
    format!("{passed} passed, {failed} failed{rest}")
}
