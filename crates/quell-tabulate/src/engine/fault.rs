//! The first record that cannot be tabulated, in the file's order, whatever the threads did.

use futures::StreamExt;
use quell_data::suggest::nearest;
use quell_data::texts;

use super::encode::{Encoder, Fault, FaultKind};
use super::scan::Scan;
use crate::{Error, UnknownCode};

/// Reads the file again, in order, for the first fault.
pub(super) async fn first(scan: &Scan, encoder: &Encoder) -> Error {
    let plan = encoder.plan();
    let streams = match scan.partitions(&plan.columns).await {
        Ok(streams) => streams,
        Err(error) => return error,
    };
    let mut found: Option<(u64, Fault)> = None;
    let (mut rows, mut same) = (0_u64, 0_u64);
    for mut stream in streams {
        while let Some(batch) = stream.next().await {
            let batch = match batch {
                Ok(batch) => batch,
                Err(error) => return error,
            };
            if found.is_none() {
                let fault = encoder.first_fault(&batch);
                found = fault.map(|fault| (rows + fault.row as u64, fault));
            }
            if let Some((_, Fault { kind: FaultKind::Code(axis), found: code, .. })) = &found
                && let Ok(column) = texts(batch.column(plan.axes[*axis].column))
            {
                let equal = |text: &Option<&str>| text.unwrap_or_default() == code;
                same += column.iter().filter(equal).count() as u64;
            }
            rows += batch.num_rows() as u64;
            // Only codes are counted to the end.
            if matches!(&found, Some((_, fault)) if !matches!(fault.kind, FaultKind::Code(_))) {
                break;
            }
        }
    }
    let file = scan.records.source().to_owned();
    let Some((row, fault)) = found else {
        return quell_data::Error::malformed(&file, "the file changed while it was read").into();
    };
    let place = scan.records.place(row);
    match fault.kind {
        FaultKind::Code(axis) => {
            let axis = &plan.axes[axis];
            let mut leaves: Vec<&str> = axis.leaves.keys().map(String::as_str).collect();
            leaves.sort_unstable();
            Error::from(Box::new(UnknownCode {
                file,
                place,
                variable: axis.variable.clone(),
                dimension: axis.dimension.clone(),
                is_total: axis.totals.iter().any(|code| code.trim() == fault.found.trim()),
                suggestion: nearest(&fault.found, leaves).map(str::to_owned),
                code: fault.found,
                records: same,
            }))
        }
        FaultKind::Number(number) => Error::NotANumber {
            file,
            place,
            variable: plan.numbers[number].name.clone(),
            found: fault.found,
            expected: match plan.numbers[number].decimal_comma {
                true => "a number with a decimal comma, of at most 18 digits",
                false => "a number with a decimal point, of at most 18 digits",
            },
        },
        FaultKind::Weight => Error::NotANumber {
            file,
            place,
            variable: plan.weight.map_or_else(String::new, |n| plan.numbers[n].name.clone()),
            found: fault.found,
            expected: "a weight of 0 or more",
        },
    }
}
