import type { FailureReason } from '../../engine/core/ports.ts'
import { commandLine } from '../../engine/core/command-line.ts'

export interface FailureFacts {
  readonly hostname: string
  readonly port: number
  readonly code: string
  readonly deadlineMs: number
  /** The data folder with the CA that issues certificates for receivers. */
  readonly dataFolder?: string | undefined
}

/** Returns a sentence with the failure and its remedy. It names the host, never the path of the URL. */
export function formatFailure(
  reason: FailureReason,
  { hostname, port, code, deadlineMs, dataFolder }: FailureFacts,
): string {
  const host = hostname.replace(/[[\]]/g, '')
  return MESSAGE_BY_REASON[reason]({
    peer: `"${hostname}:${port}"`,
    host,
    code,
    limit: `within ${deadlineMs} ms`,
    remedy: `"${commandLine(`cert ${host}`, dataFolder)}" issues one from the local CA`,
  })
}

interface Phrases {
  readonly peer: string
  readonly host: string
  readonly code: string
  readonly limit: string
  readonly remedy: string
}

const MESSAGE_BY_REASON: Readonly<Record<FailureReason, (phrases: Phrases) => string>> = {
  blocked_address: ({ peer }) => `Cannot call ${peer}: its address is not allowed`,
  target_is_sandbox: ({ peer }) => `Cannot call ${peer}: it is the sandbox itself`,
  dns_not_found: ({ host }) =>
    `Cannot resolve "${host}": the name does not exist. Correct the host in the URL`,
  dns_failed: ({ host, code }) =>
    `Cannot resolve "${host}": the name server failed (${code}). Try again, or give an address instead`,
  dns_timeout: ({ host, limit }) =>
    `Cannot resolve "${host}": the name server did not answer ${limit}. Give an address instead`,
  connect_refused: ({ peer }) =>
    `Cannot connect to ${peer}: nothing listens there. Start the receiver, or correct the port`,
  connect_timeout: ({ peer, limit }) =>
    `Cannot connect to ${peer}: no answer ${limit}. Check the receiver and the firewall before it`,
  unreachable: ({ peer, code }) =>
    `Cannot connect to ${peer}: no route to it (${code}). Check the network and the firewall`,
  tls_timeout: ({ peer, limit }) =>
    `Cannot secure ${peer}: the TLS handshake did not end ${limit}. Check that TLS is spoken there`,
  tls_expired: ({ peer, remedy }) => `Cannot trust ${peer}: its certificate has expired. ${remedy}`,
  tls_not_yet_valid: ({ peer, remedy }) =>
    `Cannot trust ${peer}: its certificate is not valid yet by this machine's clock. ${remedy}`,
  tls_self_signed: ({ peer, remedy }) =>
    `Cannot trust ${peer}: self-signed certificates are refused by the service. ${remedy}`,
  tls_hostname: ({ peer, host, remedy }) =>
    `Cannot trust ${peer}: its certificate is not for "${host}". ${remedy}`,
  tls_untrusted_ca: ({ peer, remedy }) =>
    `Cannot trust ${peer}: its certificate comes from an unknown CA. ${remedy}`,
  tls_incomplete_or_untrusted_chain: ({ peer, remedy }) =>
    `Cannot trust ${peer}: an intermediate certificate is not sent, or its CA is unknown; ` +
    `let the receiver send the full chain (${remedy})`,
  tls_version: ({ peer }) => `Cannot secure ${peer}: it offers neither TLS 1.2 nor 1.3. Enable one of them`,
  tls_handshake: ({ peer, code }) =>
    `Cannot secure ${peer}: the TLS handshake failed (${code}). Check its ciphers and server names`,
  tls_purpose: ({ peer, remedy }) =>
    `Cannot trust ${peer}: its certificate is not meant for servers. ${remedy}`,
  tls_no_san: ({ peer, remedy }) =>
    `Cannot trust ${peer}: its certificate has no subject alternative name. ${remedy}`,
  tls_weak_key: ({ peer, remedy }) =>
    `Cannot trust ${peer}: its certificate chain has an RSA key of less than 2048 bits. ${remedy}`,
  tls_not_tls: ({ peer }) =>
    `Cannot secure ${peer}: it does not speak TLS. Serve HTTPS there, or correct the port`,
  tls_client_cert_required: ({ peer }) =>
    `Cannot secure ${peer}: it demands a client certificate, which the service does not have. Switch that off`,
  send_timeout: ({ peer, limit }) =>
    `Cannot send to ${peer}: the message was not taken ${limit}. Let the receiver read the whole body`,
  header_timeout: ({ peer, limit }) =>
    `No answer from ${peer} ${limit}: let the receiver answer first and do its work afterwards`,
  closed_without_response: ({ peer }) =>
    `No answer from ${peer}: it closed the connection before the end of its headers. See its log`,
  reset: ({ peer, code }) =>
    `No answer from ${peer}: it reset the connection (${code}). See whether the receiver crashed`,
  protocol_error: ({ peer, code }) =>
    `No valid answer from ${peer}: it does not follow HTTP/1.1 (${code}). Correct the answer of the receiver`,
  unexpected_upgrade: ({ peer }) =>
    `No valid answer from ${peer}: it switched protocols (status 101), unasked. Answer with 2xx`,
  interrupted: ({ peer }) => `Cannot finish the exchange with ${peer}: the sandbox was stopped`,
  out_of_resources: ({ peer, code }) =>
    `Cannot connect to ${peer}: no resources are left (${code}). Raise the limit of open files, or send less`,
  dropped_by_fault: ({ peer }) => `Not sent to ${peer}: a fault dropped it`,
}
