import * as estree from 'prettier/plugins/estree'
import * as typescript from 'prettier/plugins/typescript'
import type { Options } from 'prettier'
import { format as formatBy } from 'prettier/standalone'

/** Replaces Prettier's `format` in the bundle. Hookbench needs only TypeScript, one of Prettier's twenty languages. */
export function format(text: string, options: Options): Promise<string> {
  return formatBy(text, { ...options, plugins: [estree, typescript] })
}
