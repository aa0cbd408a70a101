import type { ReceiverCheck } from '../../toolkit/check-context.ts'
import { acceptsTestPost, anyTestText, testPostWithoutEffect } from './test-post.ts'
import { unguessableUrl, urlForm } from './url.ts'

export const registrationChecks: readonly ReceiverCheck[] = [
  acceptsTestPost,
  anyTestText,
  testPostWithoutEffect,
  urlForm,
  unguessableUrl,
]
