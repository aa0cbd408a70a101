import * as estree from 'prettier/plugins/estree'
import * as typescript from 'prettier/plugins/typescript'
import type { Options } from 'prettier'
import { format as formatBy } from 'prettier/standalone'

/** Replaces Prettier in the bundle, which needs only one of its twenty languages. */
export function format(text: string, options: Options): Promise<string> {
  return formatBy(text, { ...options, plugins: [estree, typescript] })
}
