import { DISK_BUGS } from './disks.ts'
import type { PlantedBug } from './planted-bug.ts'
import { PORT_BUGS } from './ports.ts'
import { RECORD_BUGS } from './records.ts'
import { VIEW_BUGS } from './views.ts'

export const PLANTED_BUGS: readonly PlantedBug[] = [...RECORD_BUGS, ...DISK_BUGS, ...VIEW_BUGS, ...PORT_BUGS]
