import { readFileSync } from 'node:fs'

/** What a Dockerfile has done while an image is made. */
export type BuildStep =
  | { readonly kind: 'run'; readonly command: string; readonly user: string | undefined }
  | { readonly kind: 'copy'; readonly from: string; readonly to: string }
  | { readonly kind: 'folder'; readonly path: string }

/** A Dockerfile, read as far as ours goes: one stage, and commands of a container as lists of words. */
export interface Dockerfile {
  readonly base: string
  readonly steps: readonly BuildStep[]
  readonly user: string | undefined
  readonly folder: string
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
  readonly healthCheck: readonly string[]
}

/** Throws at an instruction that it cannot read, so that none is passed over. */
export function readDockerfile(path: string): Dockerfile {
  const lines = readFileSync(path, 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\s*\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const variables = new Map<string, string>()
  const steps: BuildStep[] = []
  /** What holds at the end, by instruction. */
  const last = new Map<string, string>()
  for (const line of lines) {
    const [, instruction = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    const text = instruction === 'RUN' ? rest : replaceVariables(rest, variables)
    last.set(instruction, text)
    if (instruction === 'ARG') {
      const [name = '', value = ''] = text.split('=')
      variables.set(name, value)
    } else if (instruction === 'RUN') {
      steps.push({ kind: 'run', command: text, user: last.get('USER') })
    } else if (instruction === 'COPY') {
      const [from = '', to = '', ...others] = text.split(/\s+/)
      if (others.length > 0) throw new SyntaxError(`Cannot read "${line}": it copies several files`)
      steps.push({ kind: 'copy', from, to })
    } else if (instruction === 'WORKDIR') {
      steps.push({ kind: 'folder', path: text })
    } else if (!AT_THE_END.has(instruction)) {
      throw new SyntaxError(`Cannot read "${line}" of ${path}`)
    }
  }
  return {
    base: last.get('FROM') ?? '',
    steps,
    user: last.get('USER'),
    folder: last.get('WORKDIR') ?? '/',
    entrypoint: JSON.parse(last.get('ENTRYPOINT') ?? '[]'),
    command: JSON.parse(last.get('CMD') ?? '[]'),
    healthCheck: JSON.parse(last.get('HEALTHCHECK')?.replace(/^.*?CMD /, '') ?? '[]'),
  }
}

/** What a container begins with, and what is for people: `EXPOSE` opens nothing. */
const AT_THE_END: ReadonlySet<string> = new Set([
  'FROM',
  'USER',
  'EXPOSE',
  'HEALTHCHECK',
  'ENTRYPOINT',
  'CMD',
])

function replaceVariables(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = variables.get(name)
    if (value === undefined) throw new SyntaxError(`Cannot read "${text}": there is no ${name}`)
    return value
  })
}
