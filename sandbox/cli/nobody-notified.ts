export const NOBODY_NOTIFIED = 'No notification is sent, because no registration is enabled'
