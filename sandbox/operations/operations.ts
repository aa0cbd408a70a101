import { showItem } from './items.ts'
import type { Operations } from './operation.ts'
import { createToken } from './tokens.ts'
import { listWebhookJobs, showWebhookJob } from './webhook-jobs.ts'
import { createWebhook, deleteWebhook, listWebhooks, showWebhook, updateWebhook } from './webhooks.ts'

/** Every operation of the service API. */
export const operations: Operations = {
  createToken,
  createWebhook,
  deleteWebhook,
  listWebhookJobs,
  listWebhooks,
  showItem,
  showWebhook,
  showWebhookJob,
  updateWebhook,
}
