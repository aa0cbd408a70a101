export {
  parseNotification,
  type BodyType,
  type ParseError,
  type Parsed,
  type ParsedAs,
  type ParsedTest,
  type TolerantParsed,
  type TolerantParsedAs,
  type Unparsed,
} from './parse-notification.ts'
export { tolerantValidators } from './tolerant-validators.ts'
export { validators } from './validators.ts'
