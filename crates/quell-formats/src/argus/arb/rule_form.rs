//! How the sensitivity rules of `<SAFETYRULE>` are written.

/// How a sensitivity rule is written. Who reads a batch says which there are.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleForm {
    /// Its keyword, in capitals.
    pub keyword: &'static str,
    /// The names of its arguments, one list for every number of arguments it may have.
    pub arguments: &'static [&'static [&'static str]],
    /// What values the arguments may have.
    pub limits: Vec<ArgumentLimit>,
    /// How many there may be on contributors; as many again may follow, which are on holdings.
    /// None if the rule looks at whole cells: then the last one counts.
    pub places: Option<usize>,
}

/// What values an argument may have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ArgumentLimit {
    /// Its name.
    pub name: &'static str,
    /// Whether it counts contributors, in whole numbers.
    pub whole: bool,
    /// The largest value that makes sense; the smallest is 0.
    pub most: f64,
    /// What it means, for advice.
    pub meaning: &'static str,
}

/// What is wrong with an argument.
pub(super) struct Wrong {
    pub(super) expected: String,
    pub(super) advice: String,
}

impl RuleForm {
    /// How it is written: `P(p) or P(p,n)`.
    pub(super) fn reads(&self) -> String {
        let written = |names: &&[&str]| format!("{}({})", self.keyword, names.join(","));
        let all: Vec<String> = self.arguments.iter().map(written).collect();
        match all.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
            None => self.keyword.to_owned(),
        }
    }

    /// What is wrong with the value of an argument, if anything is.
    pub(super) fn wrong(&self, argument: &str, value: f64) -> Option<Wrong> {
        let limit = self.limits.iter().find(|limit| limit.name == argument)?;
        let advice = || format!("{argument} is {}", limit.meaning);
        if limit.whole && value.fract() != 0.0 {
            let expected = "a whole number of contributors".to_owned();
            return Some(Wrong { expected, advice: advice() });
        }
        (value > limit.most).then(|| Wrong {
            expected: format!("a number of at most {}", limit.most),
            advice: advice(),
        })
    }
}
