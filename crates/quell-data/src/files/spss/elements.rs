//! The records of an SPSS file as elements of eight bytes, unpacked.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Take};
use std::ops::Range;
use std::path::Path;

use flate2::bufread::ZlibDecoder;

use super::dictionary::Packing;
use crate::Error;

/// The system-missing value.
pub(super) const MISSING: f64 = -f64::MAX;

/// Bytes read in one go.
const BUFFER: usize = 1 << 18;

/// The elements of all records.
pub(super) struct Elements<'a> {
    path: &'a Path,
    body: Body,
    /// What is taken off a packed number; none if nothing is packed.
    bias: Option<f64>,
    /// Commands of the packing.
    commands: [u8; 8],
    /// Which of them are still to be carried out.
    left: Range<usize>,
}

/// The bytes behind the dictionary.
enum Body {
    Plain(BufReader<File>),
    Zlib(Box<BufReader<Blocks>>),
}

impl Read for Body {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(file) => file.read(buffer),
            Self::Zlib(blocks) => blocks.read(buffer),
        }
    }
}

impl<'a> Elements<'a> {
    pub fn new(
        path: &'a Path,
        mut file: BufReader<File>,
        packing: Packing,
        bias: f64,
    ) -> Result<Self, Error> {
        let body = match packing {
            Packing::Zlib => {
                let length = blocks_length(&mut file).map_err(|_| too_short(path))?;
                let blocks = Blocks { next: Some(file.take(length)), open: None };
                Body::Zlib(Box::new(BufReader::with_capacity(BUFFER, blocks)))
            }
            Packing::None | Packing::Bytes => Body::Plain(file),
        };
        let bias = (packing != Packing::None).then_some(bias);
        Ok(Self { path, body, bias, commands: [0; 8], left: 0..0 })
    }

    /// The next eight bytes of the records; none at their end.
    pub fn next(&mut self) -> Result<Option<[u8; 8]>, Error> {
        let Some(bias) = self.bias else { return self.whole_or_none() };
        loop {
            let Some(place) = self.left.next() else {
                let length;
                (self.commands, length) = self.fill()?;
                if length == 0 {
                    return Ok(None);
                }
                self.left = 0..length;
                continue;
            };
            let command = self.commands[place];
            return match command {
                0 => continue,
                252 => Ok(None),
                253 => self.whole_or_none()?.map(Some).ok_or_else(|| too_short(self.path)),
                254 => Ok(Some([b' '; 8])),
                255 => Ok(Some(MISSING.to_le_bytes())),
                number => Ok(Some((f64::from(number) - bias).to_le_bytes())),
            };
        }
    }

    /// Eight bytes, or none at the end of the file.
    fn whole_or_none(&mut self) -> Result<Option<[u8; 8]>, Error> {
        match self.fill()? {
            (bytes, 8) => Ok(Some(bytes)),
            (_, 0) => Ok(None),
            _ => Err(too_short(self.path)),
        }
    }

    /// Up to eight bytes, fewer only at the end of the file, and how many.
    fn fill(&mut self) -> Result<([u8; 8], usize), Error> {
        let (mut bytes, mut length) = ([0; 8], 0);
        while length < bytes.len() {
            match self.body.read(&mut bytes[length..]) {
                Ok(0) => break,
                Ok(read) => length += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if matches!(self.body, Body::Zlib(_)) => {
                    let message = format!("a block of the SPSS file is broken: {error}");
                    return Err(Error::malformed(self.path, message));
                }
                Err(source) => return Err(Error::read(self.path, source)),
            }
        }
        Ok((bytes, length))
    }
}

fn too_short(path: &Path) -> Error {
    Error::malformed(path, "the SPSS file ends too early")
}

/// The head of the blocks: where they are and where they end.
fn blocks_length(file: &mut impl Read) -> io::Result<u64> {
    let mut head = [0; 24];
    file.read_exact(&mut head)?;
    let number = |at: usize| {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&head[at..at + 8]);
        u64::from_le_bytes(bytes)
    };
    let (start, end) = (number(0), number(8));
    end.checked_sub(start + 24).ok_or_else(|| io::ErrorKind::InvalidData.into())
}

/// Blocks of zlib, one behind another.
struct Blocks {
    next: Option<Take<BufReader<File>>>,
    open: Option<ZlibDecoder<Take<BufReader<File>>>>,
}

impl Read for Blocks {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(open) = &mut self.open {
                let read = open.read(buffer)?;
                if read > 0 || buffer.is_empty() {
                    return Ok(read);
                }
                self.next = self.open.take().map(ZlibDecoder::into_inner);
            }
            let Some(mut next) = self.next.take() else { return Ok(0) };
            if next.fill_buf()?.is_empty() {
                // The file may have been cut off.
                return match next.limit() {
                    0 => Ok(0),
                    _ => Err(io::ErrorKind::UnexpectedEof.into()),
                };
            }
            self.open = Some(ZlibDecoder::new(next));
        }
    }
}
