//! The letters of a file: UTF-8, or else Windows-1252 (of which Latin-1 is a part), what the
//! machines of statistical offices wrote for decades.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use encoding_rs::WINDOWS_1252;

/// How the letters of a text file are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    /// UTF-8, plain ASCII among it.
    #[default]
    Utf8,
    /// Windows-1252: one byte per letter, a letter for nearly every byte.
    Windows1252,
}

/// Bytes looked at in one go when a whole file is checked.
const BLOCK: usize = 1 << 20;

impl Encoding {
    /// Of the start of a file, whose last letter may be cut.
    pub(crate) fn of_start(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Err(error) if error.error_len().is_some() => Self::Windows1252,
            _ => Self::Utf8,
        }
    }

    /// Of a whole file.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn of_file(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let mut block = vec![0; BLOCK];
        let mut kept = 0;
        loop {
            let read = file.read(&mut block[kept..])?;
            let end = kept + read;
            kept = match std::str::from_utf8(&block[..end]) {
                Ok(_) => 0,
                Err(error) if error.error_len().is_some() => return Ok(Self::Windows1252),
                // A letter that the block cuts.
                Err(_) if read == 0 => return Ok(Self::Windows1252),
                Err(error) => {
                    block.copy_within(error.valid_up_to()..end, 0);
                    end - error.valid_up_to()
                }
            };
            if read == 0 {
                return Ok(Self::Utf8);
            }
        }
    }

    /// A text in this encoding; none if it has letters that the encoding lacks.
    pub fn encoded(self, text: &str) -> Option<Cow<'_, [u8]>> {
        match self {
            Self::Utf8 => Some(Cow::Borrowed(text.as_bytes())),
            Self::Windows1252 => {
                let (bytes, _, lacking) = WINDOWS_1252.encode(text);
                (!lacking).then_some(bytes)
            }
        }
    }
}

/// The letters of some bytes: UTF-8, or else Windows-1252.
pub fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => WINDOWS_1252.decode_without_bom_handling(bytes).0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_a_letter() {
        assert_eq!(decoded("é€".as_bytes()), "é€");
        assert_eq!(decoded(b"\xe9t\x80\x81"), "ét€\u{81}");
        assert_eq!(Encoding::Windows1252.encoded("é€").as_deref(), Some(&b"\xe9\x80"[..]));
        assert_eq!(Encoding::Windows1252.encoded("ж"), None);
    }

    #[test]
    fn a_letter_that_a_block_cuts_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t");
        let mut bytes = vec![b'a'; BLOCK - 1];
        bytes.extend("é".as_bytes());
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(Encoding::of_file(&path).unwrap(), Encoding::Utf8);
        bytes.pop();
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(Encoding::of_file(&path).unwrap(), Encoding::Windows1252);
        assert_eq!(Encoding::of_start(&bytes), Encoding::Utf8);
    }
}
