import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Validator } from '../../spec/validator.ts'

type Result = { readonly ok: boolean; readonly type?: string; readonly errors?: readonly unknown[] }

export interface GeneratedModule {
  readonly parseNotification: (body: unknown, options?: { readonly tolerant: true }) => Result
  readonly validators: Readonly<Record<string, Validator<unknown>>>
  readonly tolerantValidators: Readonly<Record<string, Validator<unknown>>>
}

export async function generatedModule(
  files: readonly { readonly path: string; readonly text: string }[],
): Promise<GeneratedModule> {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-generated-'))
  try {
    for (const { path, text } of files) writeFileSync(join(folder, path), text)
    return (await import(pathToFileURL(join(folder, 'index.ts')).href)) as GeneratedModule
  } finally {
    rmSync(folder, { recursive: true })
  }
}
