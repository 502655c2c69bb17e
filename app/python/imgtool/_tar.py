"""tar shards, as WebDataset writes them: the samples of an archive, with the place of each file."""

import tarfile
from typing import Dict, NamedTuple, Tuple

from imgtool import _imgtool


class Sample(NamedTuple):
    """The files of one sample of a shard.

    key: the name without its extensions, with the directory: "train/000017".
    sources: by extension ("png", "mask.png", "cls"), (path of the shard, offset, bytes).
    values: by extension, the content of small files as bytes.
    """

    key: str
    sources: Dict[str, Tuple[str, int, int]]
    values: Dict[str, bytes]


def _split(name):
    """Returns key and extension. The extension begins at the first dot of the last part of the name."""
    directory, slash, base = name.rpartition("/")
    stem, _, extension = base.partition(".")
    return directory + slash + stem, extension.lower()


def tar_index(path, *, values=("cls", "json", "txt")):
    """List the samples of a tar archive in WebDataset's layout; the archive is not compressed.

    Only the headers of members, and the small files that `values` names by their extensions, are
    read. Files whose names are equal up to the first dot form a sample; they follow each other. The
    tuples in Sample.sources are sources for read_batch and Loader. The list can be pickled.

    Returns a list of Samples. Raises FormatError for a damaged archive, and OSError.
    """
    samples = []
    try:
        with tarfile.open(path, "r:") as archive:
            for member in archive:
                if not member.isfile() or member.issparse():
                    continue
                key, extension = _split(member.name)
                if not samples or samples[-1].key != key:
                    samples.append(Sample(key, {}, {}))
                samples[-1].sources[extension] = (path, member.offset_data, member.size)
                if extension in values:
                    samples[-1].values[extension] = archive.extractfile(member).read()
                archive.members = []  # otherwise the archive keeps all members
    except tarfile.TarError as error:
        made = _imgtool.FormatError(f"{path}: {error}")
        made.path, made.problem, made.status = path, str(error), "damaged or unsupported file"
        raise made from error
    return samples
