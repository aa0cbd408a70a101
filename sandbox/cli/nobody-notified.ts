/** The message that `doctor` and the dashboard show if no registration is enabled. */
export const NOBODY_NOTIFIED = 'No notification is sent, because no registration is enabled'
