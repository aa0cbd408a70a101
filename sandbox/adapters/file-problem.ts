const PROBLEMS: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'there is no such file or folder'],
  ['EACCES', 'you have no permission for it'],
  ['EPERM', 'you have no permission for it'],
  ['EISDIR', 'it is a folder'],
  ['ENOTDIR', 'a part of its path is a file'],
  ['ENOSPC', 'the disk is full'],
  ['EROFS', 'the disk is read-only'],
  ['EEXIST', 'another file has its name'],
])

/** What is wrong with a file, in words; neither a code nor the name of a temporary file. */
export function fileProblem(error: unknown): string {
  const known = error instanceof Error ? PROBLEMS.get(Reflect.get(error, 'code')) : undefined
  return known ?? (error instanceof Error ? error.message : String(error))
}
