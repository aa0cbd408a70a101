import { UsageError } from './failure.ts'

/** Throws UsageError unless it is an HTTPS URL; whether it may be called is for the sandbox to say. */
export function refuseNoUrl(action: string, url: string): void {
  const protocol = URL.parse(url)?.protocol
  if (protocol === 'https:') return
  const state = protocol === 'http:' ? 'it is HTTP, and the service calls only HTTPS' : 'it is no HTTPS URL'
  throw new UsageError(`Cannot ${action} "${url}": ${state}; write it as https://localhost:PORT/PATH`)
}
