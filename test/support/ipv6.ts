import { networkInterfaces } from 'node:os'

/** True if this machine has an IPv6 loopback address. */
export const hasIpv6 = Object.values(networkInterfaces()).some((each) =>
  each?.some(({ address }) => address === '::1'),
)
