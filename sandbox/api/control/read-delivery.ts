import type { DeliveryRequest } from '../../../spec/generated/control-types.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import type { ControlContext } from './operation.ts'

/** The exact bytes to send. Throws ApiError `invalid` with the remedy. */
export function bytesOf({ body, raw, raw_encoding = 'utf8' }: DeliveryRequest): Uint8Array {
  if ((body === undefined) === (raw === undefined))
    refuse('body', 'Cannot deliver: give one of "body" and "raw"')
  if (raw === undefined) return Buffer.from(JSON.stringify(body))
  if (raw_encoding === 'base64' && !isBase64(raw))
    refuse('raw', 'Cannot deliver "raw": it is not base64; leave "raw_encoding" out to send it as it stands')
  return Buffer.from(raw, raw_encoding)
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
}

/** What belongs to the connection, and not to who writes a message. */
const OF_THE_CONNECTION =
  /^(host|connection|keep-alive|proxy-connection|content-length|transfer-encoding|te|trailer|upgrade|expect)$/i

export function checkedHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(headers)) {
    const field = `headers/${name}`
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
      refuse(field, `Cannot send header "${name}": it is no name of a header`)
    if (OF_THE_CONNECTION.test(name))
      refuse(field, `Cannot send header "${name}": it belongs to the connection, which the sandbox makes`)
    if (!/^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value))
      refuse(field, `Cannot send header "${name}": its value has characters that no header can carry`)
  }
  return headers
}

export function checkedSource(
  address: string | undefined,
  { source }: Pick<ControlContext, 'source'>,
): string | undefined {
  if (address === undefined) return undefined
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(address)?.slice(1) ?? []
  if (parts.length !== 4 || parts.some((part) => Number(part) > 255))
    refuse(
      'source_address',
      `Cannot deliver from "${address}": it takes an IPv4 address such as 13.236.213.54`,
    )
  if (source) return address
  return refuse(
    'source_address',
    `Cannot deliver from "${address}": this sandbox has no source addresses; start it with --source-addresses`,
  )
}

function refuse(field: string, message: string): never {
  throw new ApiError('invalid', { field, message })
}
