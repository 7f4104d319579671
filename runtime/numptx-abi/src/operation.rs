//! The table of operations on objects: what each is called, takes and gives.
//!
//! Generated code names an operation by its code, the text of an IR by its name. The compiler checks operands by this table; who carries the
//! operation out, at run time or in an interpreter, reads the same. Positions may count from the end, as Python's; the start, length and step of a
//! slice are those that Python makes of its bounds. Operations that fail raise what CPython does, and leave objects as they were.

/// What an operand or result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A list.
    List,
    /// A dictionary.
    Dict,
    /// A set.
    Set,
    /// A string.
    Str,
    /// An `int64`.
    Int,
    /// A truth.
    Bool,
    /// A `float64`.
    Float,
    /// All leaves of an element of a list or set, or of what the layout describes.
    Leaves,
    /// All leaves of a key of a dictionary.
    Key,
    /// All leaves of a value of a dictionary.
    Value,
    /// An array.
    Array,
    /// Any number of elements, one after the other, each with all leaves that the layout describes; the last operand.
    Many,
}

/// What the layout says that comes with an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayoutUse {
    /// Nothing: it is empty.
    Nothing,
    /// The elements of the list or set that is made, or the value that is written or formatted.
    Element,
    /// Keys and values of the dictionary that is made.
    Pair,
    /// It is no layout, but the UTF-8 text of a literal.
    Literal,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// Its word in text.
    pub name: &'static str,
    /// What its layout says.
    pub layout: LayoutUse,
    /// What it takes.
    pub operands: &'static [Part],
    /// What it gives.
    pub results: &'static [Part],
}

macro_rules! operations {
    ($($(#[doc = $text:literal])+ $constant:ident $name:literal $layout:ident ($($operand:ident)*) ($($result:ident)*);)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Number { $($constant),* }
        $($(#[doc = $text])+ pub const $constant: u32 = Number::$constant as u32;)*
        /// All operations, by their codes.
        pub const OPERATIONS: &[Operation] = &[$(Operation {
            name: $name,
            layout: LayoutUse::$layout,
            operands: &[$(Part::$operand),*],
            results: &[$(Part::$result),*],
        }),*];
    };
}

/// The operation of a code.
pub fn operation(code: u32) -> Option<&'static Operation> {
    OPERATIONS.get(code as usize)
}

/// The code of a name.
pub fn operation_named(name: &str) -> Option<u32> {
    OPERATIONS.iter().position(|row| row.name == name).map(|code| code as u32)
}

operations! {
    /// The list of the given elements.
    LIST_NEW "list_new" Element (Many) (List);
    /// `len(a)`
    LIST_LENGTH "list_length" Nothing (List) (Int);
    /// `a[i]`
    LIST_GET "list_get" Nothing (List Int) (Leaves);
    /// `a[i] = x`
    LIST_SET "list_set" Nothing (List Int Leaves) ();
    /// `a.append(x)`
    LIST_APPEND "list_append" Nothing (List Leaves) ();
    /// `a.insert(i, x)`
    LIST_INSERT "list_insert" Nothing (List Int Leaves) ();
    /// `a.pop(i)`
    LIST_POP "list_pop" Nothing (List Int) (Leaves);
    /// `del a[i]`
    LIST_DELETE "list_delete" Nothing (List Int) ();
    /// `a[s]`, of a slice's start, length and step
    LIST_SLICE "list_slice" Nothing (List Int Int Int) (List);
    /// `del a[s]`
    LIST_DELETE_SLICE "list_delete_slice" Nothing (List Int Int Int) ();
    /// `a[s] = b`
    LIST_SET_SLICE "list_set_slice" Nothing (List Int Int Int List) ();
    /// `a.extend(b)`
    LIST_EXTEND "list_extend" Nothing (List List) ();
    /// `a + b`
    LIST_CONCAT "list_concat" Nothing (List List) (List);
    /// `a * n`
    LIST_REPEAT "list_repeat" Nothing (List Int) (List);
    /// `a *= n`
    LIST_REPEAT_IN_PLACE "list_repeat_in_place" Nothing (List Int) ();
    /// `a.copy()`
    LIST_COPY "list_copy" Nothing (List) (List);
    /// `a.reverse()`
    LIST_REVERSE "list_reverse" Nothing (List) ();
    /// `a.clear()`
    LIST_CLEAR "list_clear" Nothing (List) ();
    /// `a.sort(reverse=r)`
    LIST_SORT "list_sort" Nothing (List Bool) ();
    /// `a.sort(key=k, reverse=r)`, of the list of all keys, which is sorted with it
    LIST_SORT_BY "list_sort_by" Nothing (List List Bool) ();
    /// `a.index(x, start, stop)`
    LIST_INDEX "list_index" Nothing (List Leaves Int Int) (Int);
    /// `a.count(x)`
    LIST_COUNT "list_count" Nothing (List Leaves) (Int);
    /// `a.remove(x)`
    LIST_REMOVE "list_remove" Nothing (List Leaves) ();
    /// `x in a`
    LIST_CONTAINS "list_contains" Nothing (List Leaves) (Bool);
    /// `a == b`
    LIST_EQUAL "list_equal" Nothing (List List) (Bool);
    /// -1 where `a < b`, 1 where `a > b`, 0 where they are equal, 2 where nan decides: no comparison is true then
    LIST_COMPARE "list_compare" Nothing (List List) (Int);
    /// Where `min(a)` is the first time
    LIST_MIN "list_min" Nothing (List) (Int);
    /// Where `max(a)` is the first time
    LIST_MAX "list_max" Nothing (List) (Int);

    /// `deque(a, n)`: a list with the limit n, where it is not negative; of an element too many the one at the other end goes
    DEQUE_NEW "deque_new" Nothing (List Int) (List);
    /// `q.maxlen`, or -1
    DEQUE_LIMIT "deque_limit" Nothing (List) (Int);
    /// `q.append(x)`
    DEQUE_APPEND "deque_append" Nothing (List Leaves) ();
    /// `q.appendleft(x)`
    DEQUE_APPENDLEFT "deque_appendleft" Nothing (List Leaves) ();
    /// `q.insert(i, x)`
    DEQUE_INSERT "deque_insert" Nothing (List Int Leaves) ();
    /// `q.extend(a)`
    DEQUE_EXTEND "deque_extend" Nothing (List List) ();
    /// `q.extendleft(a)`
    DEQUE_EXTENDLEFT "deque_extendleft" Nothing (List List) ();
    /// `q.rotate(n)`
    DEQUE_ROTATE "deque_rotate" Nothing (List Int) ();

    /// The dictionary of the given keys and values
    DICT_NEW "dict_new" Pair (Many) (Dict);
    /// `dict(a)` of a list of pairs
    DICT_FROM_PAIRS "dict_from_pairs" Pair (List) (Dict);
    /// `len(d)`
    DICT_LENGTH "dict_length" Nothing (Dict) (Int);
    /// The slot of a key, or -1. Slots change where keys are added.
    DICT_FIND "dict_find" Nothing (Dict Key) (Int);
    /// The slot of a key, or `KeyError`
    DICT_INDEX "dict_index" Nothing (Dict Key) (Int);
    /// The value of a slot
    DICT_VALUE "dict_value" Nothing (Dict Int) (Value);
    /// The key of a slot
    DICT_KEY "dict_key" Nothing (Dict Int) (Key);
    /// `d[k] = v`
    DICT_SET "dict_set" Nothing (Dict Key Value) ();
    /// Another value for the key of a slot
    DICT_SET_VALUE "dict_set_value" Nothing (Dict Int Value) ();
    /// Removes the key of a slot
    DICT_REMOVE_AT "dict_remove_at" Nothing (Dict Int) ();
    /// The next slot that has a key, or -1; -1 is before the first one
    DICT_NEXT "dict_next" Nothing (Dict Int) (Int);
    /// Raises where the length is not this
    DICT_CHECK_SIZE "dict_check_size" Nothing (Dict Int) ();
    /// `d.clear()`
    DICT_CLEAR "dict_clear" Nothing (Dict) ();
    /// `d.copy()`
    DICT_COPY "dict_copy" Nothing (Dict) (Dict);
    /// `d.update(e)`
    DICT_UPDATE "dict_update" Nothing (Dict Dict) ();
    /// `list(d)`
    DICT_KEYS "dict_keys" Nothing (Dict) (List);
    /// `list(d.values())`
    DICT_VALUES "dict_values" Nothing (Dict) (List);
    /// `list(d.items())`
    DICT_ITEMS "dict_items" Nothing (Dict) (List);
    /// `d.popitem()`
    DICT_POPITEM "dict_popitem" Nothing (Dict) (Key Value);
    /// `d == e`
    DICT_EQUAL "dict_equal" Nothing (Dict Dict) (Bool);

    /// The set of the given elements, added in order
    SET_NEW "set_new" Element (Many) (Set);
    /// `set(a)` of a list
    SET_FROM_LIST "set_from_list" Element (List) (Set);
    /// `list(s)`
    SET_TO_LIST "set_to_list" Nothing (Set) (List);
    /// `len(s)`
    SET_LENGTH "set_length" Nothing (Set) (Int);
    /// `s.add(x)`
    SET_ADD "set_add" Nothing (Set Leaves) ();
    /// `x in s`
    SET_CONTAINS "set_contains" Nothing (Set Leaves) (Bool);
    /// `s.discard(x)`
    SET_DISCARD "set_discard" Nothing (Set Leaves) ();
    /// `s.remove(x)`
    SET_REMOVE "set_remove" Nothing (Set Leaves) ();
    /// `s.pop()`
    SET_POP "set_pop" Nothing (Set) (Leaves);
    /// The next slot that has an element, or -1; -1 is before the first one
    SET_NEXT "set_next" Nothing (Set Int) (Int);
    /// The element of a slot
    SET_KEY "set_key" Nothing (Set Int) (Leaves);
    /// Raises where the length is not this
    SET_CHECK_SIZE "set_check_size" Nothing (Set Int) ();
    /// `s.clear()`
    SET_CLEAR "set_clear" Nothing (Set) ();
    /// `s.copy()`
    SET_COPY "set_copy" Nothing (Set) (Set);
    /// `s.update(t)`, `s |= t`
    SET_UPDATE "set_update" Nothing (Set Set) ();
    /// `s.update(a)` of a list
    SET_UPDATE_LIST "set_update_list" Nothing (Set List) ();
    /// `s.update(d)` of a dictionary's keys, and `set(d)` of none
    SET_UPDATE_KEYS "set_update_keys" Nothing (Set Dict) ();
    /// `s | t`
    SET_UNION "set_union" Nothing (Set Set) (Set);
    /// `s & t`
    SET_INTERSECTION "set_intersection" Nothing (Set Set) (Set);
    /// `s - t`
    SET_DIFFERENCE "set_difference" Nothing (Set Set) (Set);
    /// `s ^ t`
    SET_SYMMETRIC_DIFFERENCE "set_symmetric_difference" Nothing (Set Set) (Set);
    /// `s &= t`
    SET_INTERSECTION_UPDATE "set_intersection_update" Nothing (Set Set) ();
    /// `s -= t`
    SET_DIFFERENCE_UPDATE "set_difference_update" Nothing (Set Set) ();
    /// `s ^= t`
    SET_SYMMETRIC_DIFFERENCE_UPDATE "set_symmetric_difference_update" Nothing (Set Set) ();
    /// `s <= t`
    SET_IS_SUBSET "set_is_subset" Nothing (Set Set) (Bool);
    /// `s >= t`
    SET_IS_SUPERSET "set_is_superset" Nothing (Set Set) (Bool);
    /// `s.isdisjoint(t)`
    SET_IS_DISJOINT "set_is_disjoint" Nothing (Set Set) (Bool);
    /// `s == t`
    SET_EQUAL "set_equal" Nothing (Set Set) (Bool);

    /// A literal
    STR_CONSTANT "str_constant" Literal () (Str);
    /// `len(t)`
    STR_LENGTH "str_length" Nothing (Str) (Int);
    /// `bool(t)`
    STR_TRUTH "str_truth" Nothing (Str) (Bool);
    /// `t + u`
    STR_CONCAT "str_concat" Nothing (Str Str) (Str);
    /// `t * n`
    STR_REPEAT "str_repeat" Nothing (Str Int) (Str);
    /// `t[i]`
    STR_GET "str_get" Nothing (Str Int) (Str);
    /// `t[s]`, of a slice's start, length and step
    STR_SLICE "str_slice" Nothing (Str Int Int Int) (Str);
    /// `t == u`
    STR_EQUAL "str_equal" Nothing (Str Str) (Bool);
    /// -1 where `t < u`, 1 where `t > u`, else 0
    STR_COMPARE "str_compare" Nothing (Str Str) (Int);
    /// `u in t`, of t and u
    STR_CONTAINS "str_contains" Nothing (Str Str) (Bool);
    /// `t.find(u, start, stop)`
    STR_FIND "str_find" Nothing (Str Str Int Int) (Int);
    /// `t.rfind(u, start, stop)`
    STR_RFIND "str_rfind" Nothing (Str Str Int Int) (Int);
    /// `t.index(u, start, stop)`
    STR_INDEX "str_index" Nothing (Str Str Int Int) (Int);
    /// `t.rindex(u, start, stop)`
    STR_RINDEX "str_rindex" Nothing (Str Str Int Int) (Int);
    /// `t.count(u, start, stop)`
    STR_COUNT "str_count" Nothing (Str Str Int Int) (Int);
    /// `t.startswith(u, start, stop)`
    STR_STARTSWITH "str_startswith" Nothing (Str Str Int Int) (Bool);
    /// `t.endswith(u, start, stop)`
    STR_ENDSWITH "str_endswith" Nothing (Str Str Int Int) (Bool);
    /// `t.replace(old, new, count)`; all where the count is negative
    STR_REPLACE "str_replace" Nothing (Str Str Str Int) (Str);
    /// `t.removeprefix(u)`
    STR_REMOVEPREFIX "str_removeprefix" Nothing (Str Str) (Str);
    /// `t.removesuffix(u)`
    STR_REMOVESUFFIX "str_removesuffix" Nothing (Str Str) (Str);
    /// `t.lower()`
    STR_LOWER "str_lower" Nothing (Str) (Str);
    /// `t.upper()`
    STR_UPPER "str_upper" Nothing (Str) (Str);
    /// `t.title()`
    STR_TITLE "str_title" Nothing (Str) (Str);
    /// `t.capitalize()`
    STR_CAPITALIZE "str_capitalize" Nothing (Str) (Str);
    /// `t.swapcase()`
    STR_SWAPCASE "str_swapcase" Nothing (Str) (Str);
    /// `t.strip()`
    STR_STRIP "str_strip" Nothing (Str) (Str);
    /// `t.lstrip()`
    STR_LSTRIP "str_lstrip" Nothing (Str) (Str);
    /// `t.rstrip()`
    STR_RSTRIP "str_rstrip" Nothing (Str) (Str);
    /// `t.strip(characters)`
    STR_STRIP_CHARACTERS "str_strip_characters" Nothing (Str Str) (Str);
    /// `t.lstrip(characters)`
    STR_LSTRIP_CHARACTERS "str_lstrip_characters" Nothing (Str Str) (Str);
    /// `t.rstrip(characters)`
    STR_RSTRIP_CHARACTERS "str_rstrip_characters" Nothing (Str Str) (Str);
    /// `t.split(None, n)`; as often as it goes where n is negative
    STR_SPLIT "str_split" Nothing (Str Int) (List);
    /// `t.rsplit(None, n)`
    STR_RSPLIT "str_rsplit" Nothing (Str Int) (List);
    /// `t.split(separator, n)`
    STR_SPLIT_BY "str_split_by" Nothing (Str Str Int) (List);
    /// `t.rsplit(separator, n)`
    STR_RSPLIT_BY "str_rsplit_by" Nothing (Str Str Int) (List);
    /// `t.splitlines(keepends)`
    STR_SPLITLINES "str_splitlines" Nothing (Str Bool) (List);
    /// `t.partition(separator)`
    STR_PARTITION "str_partition" Nothing (Str Str) (Str Str Str);
    /// `t.rpartition(separator)`
    STR_RPARTITION "str_rpartition" Nothing (Str Str) (Str Str Str);
    /// `t.join(a)`
    STR_JOIN "str_join" Nothing (Str List) (Str);
    /// `list(t)`
    STR_TO_LIST "str_to_list" Nothing (Str) (List);
    /// `t.isdigit()`
    STR_ISDIGIT "str_isdigit" Nothing (Str) (Bool);
    /// `t.isdecimal()`
    STR_ISDECIMAL "str_isdecimal" Nothing (Str) (Bool);
    /// `t.isnumeric()`
    STR_ISNUMERIC "str_isnumeric" Nothing (Str) (Bool);
    /// `t.isalpha()`
    STR_ISALPHA "str_isalpha" Nothing (Str) (Bool);
    /// `t.isalnum()`
    STR_ISALNUM "str_isalnum" Nothing (Str) (Bool);
    /// `t.isspace()`
    STR_ISSPACE "str_isspace" Nothing (Str) (Bool);
    /// `t.isupper()`
    STR_ISUPPER "str_isupper" Nothing (Str) (Bool);
    /// `t.islower()`
    STR_ISLOWER "str_islower" Nothing (Str) (Bool);
    /// `t.istitle()`
    STR_ISTITLE "str_istitle" Nothing (Str) (Bool);
    /// `t.isascii()`
    STR_ISASCII "str_isascii" Nothing (Str) (Bool);
    /// `t.isprintable()`
    STR_ISPRINTABLE "str_isprintable" Nothing (Str) (Bool);
    /// `t.zfill(width)`
    STR_ZFILL "str_zfill" Nothing (Str Int) (Str);
    /// `t.ljust(width, fill)`
    STR_LJUST "str_ljust" Nothing (Str Int Str) (Str);
    /// `t.rjust(width, fill)`
    STR_RJUST "str_rjust" Nothing (Str Int Str) (Str);
    /// `t.center(width, fill)`
    STR_CENTER "str_center" Nothing (Str Int Str) (Str);
    /// `ord(t)`
    STR_ORD "str_ord" Nothing (Str) (Int);
    /// `chr(n)`
    STR_CHR "str_chr" Nothing (Int) (Str);
    /// `int(t, base)`
    STR_TO_INT "str_to_int" Nothing (Str Int) (Int);
    /// `float(t)`
    STR_TO_FLOAT "str_to_float" Nothing (Str) (Float);

    /// `str(x)`, and what `print` writes
    TO_STR "to_str" Element (Leaves) (Str);
    /// `repr(x)`
    TO_REPR "to_repr" Element (Leaves) (Str);
    /// `format(x, specification)`, of the specification and x
    FORMAT "format" Element (Str Leaves) (Str);
    /// `conversion % x`, of one conversion, as `%5.2f`, and x
    FORMAT_PERCENT "format_percent" Element (Str Leaves) (Str);

    /// A new array of one axis, in the memory of the call, of a list of numbers; of two axes where the layout of its members is a tuple of numbers
    /// of one type
    LIST_TO_ARRAY "list_to_array" Nothing (List) (Array);
    /// A list of the elements of an array of one axis
    LIST_FROM_ARRAY "list_from_array" Element (Array) (List);
    /// Writes a string as `print` does: to `sys.stdout` in Python, else to the standard output
    PRINT "print" Nothing (Str) ();
    /// What the `try` right before raised: its kind, and its text as `str` gives it. The call has no error from then on
    CAUGHT "caught" Nothing () (Int Str);
    /// Waits for the device, so that what it finds out is raised here
    SETTLE "settle" Nothing () ();
    /// Raises an exception of a kind with a message. It gives nothing, and nothing follows it
    RAISE "raise" Nothing (Int Str) ();

    // Random numbers. A generator is a list of words of `uint64`, as `numptx-random` has its state, which draws change; where a second list follows,
    // it holds the normal draw that `RandomState` keeps, and may be the same one. A seed sequence is a list of words, too. What is drawn is in a list of
    // NumPy's numbers. A code of draws is a method's number, and the bits of [`RANDOM_IS_LEGACY`] and the others.
    /// A seed sequence of the operating system's entropy
    RANDOM_FRESH "random_fresh" Nothing () (List);
    /// `SeedSequence(entropy, spawn_key=key, pool_size=n)`, of ints
    RANDOM_SEQUENCE "random_sequence" Nothing (List List Int) (List);
    /// The next child of a seed sequence, which counts it
    RANDOM_SPAWN "random_spawn" Nothing (List) (List);
    /// `generate_state(n)` of `uint32`, or of `uint64`
    RANDOM_WORDS "random_words" Nothing (List Int Bool) (List);
    /// `PCG64(sequence)`, and so on, by the kind's number
    RANDOM_NEW "random_new" Nothing (List Int) (List);
    /// `RandomState(seeds)` of a sequence (0), of an int (1), or of an array (2), which is an int where it has one element
    RANDOM_LEGACY "random_legacy" Nothing (List Int) (List);
    /// A place for the normal draw that `RandomState` keeps
    RANDOM_GAUSS "random_gauss" Nothing () (List);
    /// Gives a generator the state of another one
    RANDOM_RESEED "random_reseed" Nothing (List List) ();
    /// `jumped(n)`
    RANDOM_JUMPED "random_jumped" Nothing (List Int) (List);
    /// `advance(n)`
    RANDOM_ADVANCE "random_advance" Nothing (List Int) ();
    /// One draw of a float, of up to three floats
    RANDOM_DRAW_FLOAT "random_draw_float" Nothing (List List Int Float Float Float) (Float);
    /// One draw of an int: ints among the parameters come first
    RANDOM_DRAW_COUNT "random_draw_count" Nothing (List List Int Int Int Int Float Float) (Int);
    /// So many draws, in a new array of one axis, in the memory of the call: each parameter is a list of one number, or of one for each draw
    RANDOM_DRAW_ARRAY "random_draw_array" Nothing (List List Int List List List Int) (Array);
    /// One draw of an int of a range; the code has the dtype below
    RANDOM_DRAW_INTEGER "random_draw_integer" Nothing (List Int Int Int) (Int);
    /// So many draws of ints; each end is a list of one number, or of one for each draw
    RANDOM_DRAW_INTEGERS "random_draw_integers" Nothing (List Int List List Int) (List);
    /// So many permutations of n numbers, one after the other, of n and how many
    RANDOM_DRAW_ORDER "random_draw_order" Nothing (List Int Int) (List);
    /// `choice(population, n, replace=False, shuffle=s)`
    RANDOM_DRAW_SAMPLE "random_draw_sample" Nothing (List Int Int Bool) (List);
    /// So many draws of several numbers: `multinomial` (0), `multivariate_hypergeometric` of marginals (1) or counts (2), `dirichlet` (3), of n and a list
    RANDOM_DRAW_SEVERAL "random_draw_several" Nothing (List List Int Int List Int) (List);
}

/// In codes of draws: the bits that are a method's number, or a dtype.
pub const RANDOM_NUMBER: i64 = 0xffff;
/// Arrays of fewer draws are the host's, whatever the device could do.
pub const RANDOM_FEWEST_ON_DEVICE: usize = 1 << 12;
/// In codes of draws: they are those of `RandomState`.
pub const RANDOM_IS_LEGACY: i64 = 1 << 16;
/// An argument was an array: messages are about arrays.
pub const RANDOM_OF_ARRAYS: i64 = 1 << 17;
/// Ints are drawn as `uint64`.
pub const RANDOM_IS_UNSIGNED: i64 = 1 << 18;
/// Ints are drawn up to the upper end.
pub const RANDOM_IS_CLOSED: i64 = 1 << 19;
