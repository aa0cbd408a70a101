import { platform } from 'node:os'

/** Whether every address of 127.0.0.0/8 can be sent from without any set-up. */
export const fromLoopback = platform() === 'linux'
