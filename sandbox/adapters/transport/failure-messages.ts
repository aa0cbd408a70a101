import { commandLine } from '../../engine/core/command-line.ts'
import type { FailureReason, Unanswered } from '../../engine/core/ports.ts'
import { bareHost, type Target } from './link.ts'

export interface FailureDetail {
  readonly code?: string
  readonly deadlineMs?: number
}

/** Returns an outcome with the failure and its fix. The message never contains the URL path. */
export function failureOutcome(
  reason: FailureReason,
  target: Pick<Target, 'hostname' | 'port' | 'dataFolder'>,
  { code = '', deadlineMs = 0 }: FailureDetail = {},
): Unanswered {
  const host = bareHost(target)
  const words = new Map([
    ['peer', `"${target.hostname}:${target.port}"`],
    ['host', host],
    ['code', code],
    ['limit', `within ${deadlineMs} ms`],
    ['remedy', `"${commandLine(`cert ${host}`, target.dataFolder)}" issues one from the local CA`],
  ])
  const message = MESSAGE_BY_REASON[reason].replace(/\{(\w+)\}/g, (_, name: string) => words.get(name) ?? '')
  return { kind: 'unanswered', reason, message }
}

const MESSAGE_BY_REASON: Readonly<Record<FailureReason, string>> = {
  blocked_address: 'Cannot call {peer}: its address is not allowed',
  target_is_sandbox: 'Cannot call {peer}: it is the sandbox itself',
  dns_not_found: 'Cannot resolve "{host}": the name does not exist. Correct the host in the URL',
  dns_failed:
    'Cannot resolve "{host}": the name server failed ({code}). Try again, or use an IP address instead of the name',
  dns_timeout:
    'Cannot resolve "{host}": the name server did not answer {limit}. Use an IP address instead of the name',
  connect_refused: 'Cannot connect to {peer}: nothing listens there. Start the receiver, or correct the port',
  connect_timeout:
    'Cannot connect to {peer}: no answer {limit}. Check the receiver and the firewall in front of it',
  unreachable: 'Cannot connect to {peer}: no route to it ({code}). Check the network and the firewall',
  tls_timeout:
    'Cannot secure {peer}: the TLS handshake did not end {limit}. Check that the receiver uses TLS',
  tls_expired: 'Cannot trust {peer}: its certificate has expired. {remedy}',
  tls_not_yet_valid: `Cannot trust {peer}: its certificate is not valid yet by this machine's clock. {remedy}`,
  tls_self_signed: 'Cannot trust {peer}: the service rejects self-signed certificates. {remedy}',
  tls_hostname: 'Cannot trust {peer}: its certificate is not for "{host}". {remedy}',
  tls_untrusted_ca: 'Cannot trust {peer}: its certificate comes from an unknown CA. {remedy}',
  tls_incomplete_or_untrusted_chain:
    'Cannot trust {peer}: the receiver does not send an intermediate certificate, or its CA is unknown. Configure the receiver to send the full certificate chain ({remedy})',
  tls_version: 'Cannot secure {peer}: it offers neither TLS 1.2 nor 1.3. Enable TLS 1.2 or 1.3',
  tls_handshake:
    'Cannot secure {peer}: the TLS handshake failed ({code}). Check the ciphers and server names of the receiver',
  tls_purpose: 'Cannot trust {peer}: its certificate is not meant for servers. {remedy}',
  tls_no_san: 'Cannot trust {peer}: its certificate has no subject alternative name. {remedy}',
  tls_weak_key: 'Cannot trust {peer}: its certificate chain has an RSA key of less than 2048 bits. {remedy}',
  tls_not_tls: 'Cannot secure {peer}: it does not speak TLS. Serve HTTPS on this port, or correct the port',
  tls_client_cert_required:
    'Cannot secure {peer}: it demands a client certificate, which the service does not have. Do not require client certificates',
  send_timeout:
    'Cannot send to {peer}: the receiver did not read the message {limit}. Let the receiver read the complete body',
  header_timeout: 'No answer from {peer} {limit}: let the receiver answer first and do its work afterwards',
  closed_without_response:
    'No answer from {peer}: it closed the connection before the end of its headers. See its log',
  reset: 'No answer from {peer}: it reset the connection ({code}). Check whether the receiver crashed',
  protocol_error:
    'No valid answer from {peer}: it does not follow HTTP/1.1 ({code}). Correct the answer of the receiver',
  unexpected_upgrade:
    'No valid answer from {peer}: it switched protocols (status 101) without a request. Answer with 2xx',
  interrupted: 'Cannot finish the exchange with {peer}: the sandbox was stopped',
  out_of_resources:
    'Cannot connect to {peer}: no resources are left ({code}). Raise the limit of open files, or send fewer requests at once',
  dropped_by_fault: 'Not sent to {peer}: a fault dropped the delivery',
}
