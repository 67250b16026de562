//! The bytes of an object: a database file, compressed, and the hash of that.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use sha2::{Digest, Sha256};

/// Level 3 is what the format is tuned for: a database shrinks to a fifth at the
/// speed of a disk.
const LEVEL: i32 = 3;

/// An object that is ready to be put.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packed {
    /// Its size.
    pub size_bytes: u64,
    /// Its SHA-256 in lower-case hex.
    pub sha256: String,
}

/// Passes what is written on, and hashes it.
struct Hashing<W> {
    inner: W,
    hash: Sha256,
    size_bytes: u64,
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hash.update(&bytes[..written]);
        self.size_bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Compresses a file into one that is there and empty.
///
/// # Errors
/// When one of them cannot be read or written.
pub fn pack(from: &Path, to: &Path) -> io::Result<Packed> {
    let mut source = File::open(from)?;
    let target = OpenOptions::new().write(true).open(to)?;
    let hashing = Hashing { inner: target, hash: Sha256::new(), size_bytes: 0 };
    let mut encoder = zstd::Encoder::new(hashing, LEVEL)?;
    encoder.include_checksum(true)?;
    io::copy(&mut source, &mut encoder)?;
    let hashing = encoder.finish()?;
    hashing.inner.sync_all()?;
    Ok(Packed { size_bytes: hashing.size_bytes, sha256: hex::encode(hashing.hash.finalize()) })
}

/// The size and the hash of an object.
///
/// # Errors
/// When it cannot be read.
pub fn weigh(object: &Path) -> io::Result<Packed> {
    let mut sink = Hashing { inner: io::sink(), hash: Sha256::new(), size_bytes: 0 };
    io::copy(&mut BufReader::new(File::open(object)?), &mut sink)?;
    Ok(Packed { size_bytes: sink.size_bytes, sha256: hex::encode(sink.hash.finalize()) })
}

/// The front of a SQLite file.
const HEADER: usize = 100;
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// Decompresses an object into a file that is there and empty. What says in its front
/// that it is no database, or goes on behind the end that it names there, is not
/// unpacked further.
///
/// # Errors
/// When one of them cannot be read or written, or the object is no packed database.
pub fn unpack(from: &Path, to: &Path) -> io::Result<()> {
    let mut target = OpenOptions::new().write(true).open(to)?;
    let mut decoder = zstd::Decoder::new(File::open(from)?)?;
    let mut header = [0; HEADER];
    decoder.read_exact(&mut header)?;
    let size = size_of(&header).ok_or(io::ErrorKind::InvalidData)?;
    target.write_all(&header)?;
    let rest = size.saturating_sub(HEADER as u64);
    let copied = io::copy(&mut decoder.by_ref().take(rest), &mut target)?;
    // Reads to the end, where the checksum is compared.
    if copied < rest || decoder.read(&mut [0])? != 0 {
        return Err(io::ErrorKind::InvalidData.into());
    }
    target.sync_all()
}

/// Bytes of a database by its header: the size of a page (1 means 65,536) times their
/// number. <https://sqlite.org/fileformat2.html#the_database_header>
fn size_of(header: &[u8; HEADER]) -> Option<u64> {
    if !header.starts_with(MAGIC) {
        return None;
    }
    let page = match u16::from_be_bytes([header[16], header[17]]) {
        1 => 65_536,
        page => u64::from(page),
    };
    let count = u32::from_be_bytes([header[28], header[29], header[30], header[31]]);
    Some(page * u64::from(count))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_a_database_is_unpacked_as_one() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let database = at("a.db");
        let now = tracker_domain::Timestamp::from_unix(1_800_000_000).unwrap();
        tracker_store::migrate::migrate(&database, None, now, 0o600).unwrap();
        let whole = std::fs::read(&database).unwrap();
        let unpacked = |bytes: &[u8]| {
            for (name, bytes) in [("raw", bytes), ("object", b""), ("out", b"")] {
                std::fs::write(at(name), bytes).unwrap();
            }
            pack(&at("raw"), &at("object")).unwrap();
            unpack(&at("object"), &at("out")).map(|()| std::fs::read(at("out")).unwrap())
        };
        assert_eq!(unpacked(&whole).unwrap(), whole);
        assert!(unpacked(&whole[..whole.len() - 1]).is_err(), "it ends early");
        assert!(unpacked(&[&whole[..], &[0; 1 << 20]].concat()).is_err(), "it goes on");
        assert!(unpacked(&vec![0; 1 << 20]).is_err(), "it is none");
        assert!(std::fs::metadata(at("out")).unwrap().len() <= 100, "and is not unpacked");
        assert!(unpacked(b"short").is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn what_was_packed_comes_back(bytes in prop::collection::vec(any::<u8>(), 0..20_000)) {
            let folder = tempfile::tempdir().unwrap();
            let at = |name: &str| folder.path().join(name);
            std::fs::write(at("a"), &bytes).unwrap();
            std::fs::write(at("b"), "").unwrap();
            let packed = pack(&at("a"), &at("b")).unwrap();
            prop_assert_eq!(&packed, &weigh(&at("b")).unwrap());
            let unpacked = || zstd::decode_all(File::open(at("b")).unwrap());
            prop_assert_eq!(unpacked().unwrap(), bytes);
            // A part of it is never taken for the whole.
            let whole = std::fs::read(at("b")).unwrap();
            std::fs::write(at("b"), &whole[..whole.len() - 1]).unwrap();
            prop_assert!(unpacked().is_err());
        }
    }
}
