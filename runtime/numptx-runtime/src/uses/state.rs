//! Which streams use a buffer, as data: what there is and a new use give whom to wait for, and what there is then.
//!
//! In: uses, in two steps each: it is announced, the driver is told to wait, it is ordered. Out: the streams to wait for. No lock, no driver: the
//! models of `runtime/models` go through all of it.
//!
//! A use is announced before the driver is told, so that nobody misses it. What it replaces is replaced when it is ordered, so that whoever comes
//! meanwhile waits for the old uses as well. A use that was announced may still be on its way to its stream: a wait covers it for sure where no call
//! was under way on that stream when the wait was made, and replaces it only then. So whoever waits for the uses that are there, the free for one,
//! waits for all that ever were.

/// What tells streams apart.
pub(crate) trait StreamKey: Clone {
    /// The same for all that stand for one stream; the three lowest bits are 0.
    fn key(&self) -> usize;

    /// Whether no call is under way that may still give the stream work.
    fn is_quiet(&self) -> bool;
}

/// Counts announcements; 0: before all of them.
type Time = u64;

/// What one stream has to do with a buffer.
struct StreamEntry<S> {
    stream: S,
    /// Its last write and read that no later write of another stream came after.
    wrote: Time,
    read: Time,
    /// It is ordered after all writes of others, and after all their uses, that were announced until then.
    after_writes: Time,
    after_all: Time,
    /// Another library may use the memory on it as long as it has the buffer, and orders itself, but for the free.
    is_lent: bool,
}

impl<S> StreamEntry<S> {
    fn new(stream: S) -> StreamEntry<S> {
        StreamEntry { stream, wrote: 0, read: 0, after_writes: 0, after_all: 0, is_lent: false }
    }

    fn last(&self) -> Time {
        self.wrote.max(self.read)
    }
}

/// All streams that have or had work with a buffer. Most buffers stay on one stream: that takes no memory of its own.
pub(crate) enum UseState<S> {
    Nobody,
    One(One<S>),
    Many(Box<Table<S>>),
}

/// The only stream: its order among others is not asked.
pub(crate) struct One<S> {
    stream: S,
    wrote: bool,
    read: bool,
    is_lent: bool,
}

/// Several streams.
pub(crate) struct Table<S> {
    now: Time,
    entries: Vec<StreamEntry<S>>,
}

/// A use that was announced.
pub(crate) struct Announcement<S> {
    /// Streams whose work, given so far, comes before it.
    pub(crate) after: Vec<S>,
    write: bool,
    /// 0: of the only stream.
    at: Time,
}

/// The one stream whose further uses need neither order nor note.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SoleStream {
    pub(crate) key: usize,
    /// Its writes as well.
    pub(crate) may_write: bool,
    /// Nobody else may have work with the buffer: the free need not wait.
    pub(crate) is_alone: bool,
}

impl<S: StreamKey> Table<S> {
    fn find(&self, key: Option<usize>) -> Option<&StreamEntry<S>> {
        self.entries.iter().find(|known| Some(known.stream.key()) == key)
    }

    /// The entry of a stream, made if there is none.
    fn entry(&mut self, stream: S) -> &mut StreamEntry<S> {
        let key = stream.key();
        let at = self.entries.iter().position(|known| known.stream.key() == key).unwrap_or(self.entries.len());
        if at == self.entries.len() {
            self.entries.push(StreamEntry::new(stream));
        }
        &mut self.entries[at]
    }

    fn before(&self, key: Option<usize>, write: bool) -> Vec<S> {
        let (after_writes, after_all) = self.find(key).map_or((0, 0), |own| (own.after_writes, own.after_all));
        let others = self.entries.iter().filter(|known| Some(known.stream.key()) != key);
        let is_before = |known: &StreamEntry<S>| known.wrote > after_writes || (write && known.last() > after_all);
        others.filter(|known| is_before(known)).map(|known| known.stream.clone()).collect()
    }

    fn announce(&mut self, noted: S, write: bool) -> Time {
        self.now += 1;
        let at = self.now;
        let own = self.entry(noted);
        *(if write { &mut own.wrote } else { &mut own.read }) = at;
        at
    }

    fn ordered(&mut self, key: Option<usize>, announced: &Announcement<S>, covered: &[usize]) -> Vec<S> {
        let (write, at) = (announced.write, announced.at);
        let before = self.find(key).map_or(0, |own| own.after_all);
        let is_all = covered.len() == announced.after.len();
        if let Some(own) = self.entries.iter_mut().find(|known| is_all && Some(known.stream.key()) == key) {
            own.after_writes = own.after_writes.max(at);
            own.after_all = own.after_all.max(if write { at } else { 0 });
        }
        let is_replaced = |known: &StreamEntry<S>| {
            let other = known.stream.key();
            let is_covered = known.last() <= before || covered.contains(&other);
            write && Some(other) != key && known.last() < at && is_covered
        };
        for known in self.entries.iter_mut().filter(|known| is_replaced(known)) {
            (known.wrote, known.read) = (0, 0);
        }
        let gone = self.entries.extract_if(.., |known| known.last() == 0 && !known.is_lent);
        gone.map(|known| known.stream).collect()
    }

    fn sole(&self) -> Option<SoleStream> {
        let mut active = self.entries.iter().filter(|known| known.last() > 0);
        let own = active.next()?;
        let key = own.stream.key();
        let others = || self.entries.iter().filter(|known| known.stream.key() != key);
        // Who comes later finds uses without a note behind the noted one: nobody may have come after that already.
        if active.next().is_some() || others().any(|other| other.after_all >= own.last()) {
            return None;
        }
        let may_write = own.wrote > 0 && others().all(|other| other.after_writes < own.wrote);
        Some(SoleStream { key, may_write, is_alone: self.entries.len() == 1 })
    }
}

impl<S: StreamKey> UseState<S> {
    /// A buffer that one stream has work with.
    pub(crate) fn written_on(stream: S) -> UseState<S> {
        UseState::One(One { stream, wrote: true, read: false, is_lent: false })
    }

    /// The table, made of what there is.
    fn table(&mut self) -> &mut Table<S> {
        if !matches!(self, UseState::Many(_)) {
            let entries = match std::mem::replace(self, UseState::Nobody) {
                UseState::One(One { stream, wrote, read, is_lent }) => {
                    let (wrote, read) = (Time::from(wrote), Time::from(read));
                    vec![StreamEntry { wrote, read, is_lent, ..StreamEntry::new(stream) }]
                }
                _ => Vec::new(),
            };
            *self = UseState::Many(Box::new(Table { now: 1, entries }));
        }
        match self {
            UseState::Many(table) => table,
            _ => unreachable!("the table was just made"),
        }
    }

    /// The streams that a use has to wait for. `key`: its stream's; `None`: a stream without a note of its own, such as each thread's default one.
    pub(crate) fn before(&self, key: Option<usize>, write: bool) -> Vec<S> {
        match self {
            UseState::Nobody => Vec::new(),
            UseState::One(one) => {
                let is_before = Some(one.stream.key()) != key && (one.wrote || (write && one.read));
                is_before.then(|| one.stream.clone()).into_iter().collect()
            }
            UseState::Many(table) => table.before(key, write),
        }
    }

    /// Notes a use on a stream, which `noted` stands for from now on.
    pub(crate) fn announce(&mut self, key: Option<usize>, noted: S, write: bool) -> Announcement<S> {
        let after = self.before(key, write);
        let at = match self {
            UseState::Nobody => {
                *self = UseState::One(One { stream: noted, wrote: write, read: !write, is_lent: false });
                0
            }
            UseState::One(one) if one.stream.key() == noted.key() => {
                *(if write { &mut one.wrote } else { &mut one.read }) = true;
                0
            }
            _ => self.table().announce(noted, write),
        };
        Announcement { after, write, at }
    }

    /// The stream waits for what [`UseState::announce`] named, and the wait covers all that those of the keys `covered` were given. Takes the streams out
    /// that a write came after; to be dropped without a lock.
    pub(crate) fn ordered(&mut self, key: Option<usize>, announced: &Announcement<S>, covered: &[usize]) -> Vec<S> {
        match self {
            UseState::Many(table) => table.ordered(key, announced, covered),
            _ => Vec::new(),
        }
    }

    /// Another library has the buffer, and may work with it on a stream.
    pub(crate) fn lend(&mut self, stream: S) {
        match self {
            UseState::Nobody => {
                *self = UseState::One(One { stream, wrote: false, read: false, is_lent: true });
            }
            UseState::One(one) if one.stream.key() == stream.key() => one.is_lent = true,
            _ => self.table().entry(stream).is_lent = true,
        }
    }

    /// What needs neither order nor note, as long as nothing is announced.
    pub(crate) fn sole(&self) -> Option<SoleStream> {
        match self {
            UseState::Nobody => None,
            UseState::One(one) if !one.wrote && !one.read => None,
            UseState::One(one) => Some(SoleStream { key: one.stream.key(), may_write: one.wrote, is_alone: true }),
            UseState::Many(table) => table.sole(),
        }
    }

    /// Streams whose work nobody has come after.
    pub(crate) fn used(&self) -> Vec<S> {
        match self {
            UseState::One(one) if one.wrote || one.read => vec![one.stream.clone()],
            UseState::Nobody | UseState::One(_) => Vec::new(),
            UseState::Many(table) => {
                table.entries.iter().filter(|known| known.last() > 0).map(|known| known.stream.clone()).collect()
            }
        }
    }

    /// All streams that the free has to wait for.
    pub(crate) fn streams(&self) -> Vec<S> {
        match self {
            UseState::Nobody => Vec::new(),
            UseState::One(one) => vec![one.stream.clone()],
            UseState::Many(table) => table.entries.iter().map(|known| known.stream.clone()).collect(),
        }
    }

    /// Whether another library uses the buffer on this stream.
    pub(crate) fn is_lent_to(&self, key: usize) -> bool {
        match self {
            UseState::Nobody => false,
            UseState::One(one) => one.is_lent && one.stream.key() == key,
            UseState::Many(table) => table.find(Some(key)).is_some_and(|known| known.is_lent),
        }
    }

    /// Takes streams out that have done their work and get no more; to be dropped without a lock.
    pub(crate) fn forget(&mut self, is_spent: impl Fn(&S) -> bool) -> Vec<S> {
        let UseState::Many(table) = self else { return Vec::new() };
        let gone = table.entries.extract_if(.., |known| !known.is_lent && is_spent(&known.stream));
        gone.map(|known| known.stream).collect()
    }
}
