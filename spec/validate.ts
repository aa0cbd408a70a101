export {
  parseNotification,
  type ParseError,
  type Parsed,
  type ParsedAs,
  type ParsedTest,
  type TolerantParsed,
  type TolerantParsedAs,
  type Unparsed,
} from './parse-notification.ts'
export { validators } from './generated/service-validators.ts'
export { validators as tolerantValidators } from './generated/tolerant-validators.ts'
