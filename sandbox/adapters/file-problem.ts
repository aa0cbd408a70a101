const PROBLEMS: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'there is no such file or folder'],
  ['EACCES', 'it is not open to you'],
  ['EPERM', 'it is not open to you'],
  ['EISDIR', 'it is a folder'],
  ['ENOTDIR', 'it lies below a file'],
  ['ENOSPC', 'the disk is full'],
  ['EROFS', 'the disk is read-only'],
  ['EEXIST', 'there is another file in the way'],
])

/** What is wrong with a file, in words; neither a code nor the name of a temporary file. */
export function fileProblem(error: unknown): string {
  const known = error instanceof Error ? PROBLEMS.get(Reflect.get(error, 'code')) : undefined
  return known ?? (error instanceof Error ? error.message : String(error))
}
