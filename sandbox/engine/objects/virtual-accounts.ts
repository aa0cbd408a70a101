import type { VirtualAccount } from '../../../spec/generated/service-types.ts'

/** A virtual account as its Show has it; no notification holds one. Reading: virtual-account-show */
export const plausibleVirtualAccount: VirtualAccount = {
  id: '9fc8c651-1a1d-47c4-b0c2-1f724601ecf4',
  routing_number: '000999',
  account_number: '100000017',
  currency: 'AUD',
  wallet_account_id: '6384e0b3-7b55-4bcb-91f1-20682cc85dc0',
  user_external_id: 'e604d5d0-fe71-4af2-aa41-bd872deb0f7d',
  status: 'pending_activation',
  created_at: '2026-01-05T09:00:00.000Z',
  updated_at: '2026-01-05T09:00:00.000Z',
  account_type: 'NIND',
  full_legal_account_name: 'Samuel Seed',
  account_name: 'Samuel Seed',
  aka_names: ['Seed Frames'],
  merchant_id: null,
}
