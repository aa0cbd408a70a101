import { mark, type PlatformFile } from './platform-file.ts'
import type { Wording } from './wording.ts'

/** The whole document in one file, for every tool that reads OpenAPI. */
export function openapiFiles({ openapi }: Wording): PlatformFile[] {
  const { openapi: version, 'x-note': _, ...rest } = openapi
  const text = JSON.stringify({ openapi: version, 'x-note': mark('openapi'), ...rest }, null, 2)
  return [{ path: 'openapi.json', text: `${text}\n` }]
}
