import type { ReadingValues } from '../../../spec/readings.ts'
import { UNKNOWN_OBJECT_CODE, type ApiError, type ErrorCode } from '../../engine/core/api-error.ts'
import type { ErrorFamily } from '../../../spec/rows.ts'

type Statuses = Readonly<Record<ErrorCode, number>>

const STATUSES: Statuses = {
  malformed: 400,
  'missing-fields': 422,
  invalid: 422,
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  'unknown-route': 404,
  'not-allowed': 405,
  conflict: 409,
  'too-large': 413,
  'unsupported-media-type': 415,
  'invalid-status': 422,
  'storage-full': 507,
  'storage-gone': 507,
  'storage-away': 503,
}

// Reading: webhook-errors
const WEBHOOK_WORDS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Already exists',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable entity',
  503: 'Service Unavailable',
  507: 'Insufficient Storage',
}

const families: Readonly<
  Record<ErrorFamily, { statuses: Statuses; body(error: ApiError, status: number): unknown }>
> = {
  /** Reading: token-operation */
  tokens: {
    statuses: { ...STATUSES, 'missing-fields': 400, invalid: 400 },
    body: (_, status) => ({ error: status === 401 ? 'invalid credentials' : 'bad request' }),
  },
  webhooks: {
    statuses: { ...STATUSES, 'missing-fields': 400, 'invalid-status': 400, unauthorized: 403 },
    body: ({ code, message }, status) => ({
      status: code === 'invalid-status' ? 'Invalid Status' : (WEBHOOK_WORDS[status] ?? String(status)),
      message,
    }),
  },
  /** Object operations. Reading: object-errors, object-authentication */
  objects: {
    statuses: { ...STATUSES, conflict: 422 },
    body({ code, message, problems }) {
      if (code === 'unknown-route') return { status: '404', error: 'Not Found' }
      return code === 'unauthorized' ? { message } : { errors: groupByField(problems) }
    },
  },
  /** All errors of the control API have one format, which Hookbench chose. */
  control: {
    statuses: STATUSES,
    body: ({ code, message, problems: [first] }) => ({
      error: {
        code: first?.code ?? code.replaceAll('-', '_'),
        message,
        ...(first?.field === undefined ? {} : { field: first.field }),
        ...(first?.hint === undefined ? {} : { hint: first.hint }),
        ...(first?.command === undefined ? {} : { command: first.command }),
      },
    }),
  },
}

const NOT_AUTHORIZED = {
  status: 401,
  body: { code: UNKNOWN_OBJECT_CODE, message: 'Not authorized to access that record.' },
}

export function errorReply(
  error: ApiError,
  family: ErrorFamily,
  { 'unknown-object': unknownObject }: Pick<ReadingValues, 'unknown-object'> = {
    'unknown-object': 'not-found',
  },
): { readonly status: number; readonly body: unknown } {
  if (family === 'objects' && error.code === 'not-found' && unknownObject === 'not-authorized')
    return NOT_AUTHORIZED
  const { statuses, body } = families[family]
  const status = statuses[error.code]
  return { status, body: body(error, status) }
}

function groupByField(problems: ApiError['problems']): Record<string, string[]> {
  const byField = Map.groupBy(problems, ({ field = 'base' }) => field)
  return Object.fromEntries(
    [...byField].map(([field, group]) => [field, group.map(({ message }) => message)]),
  )
}
