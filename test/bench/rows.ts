import type { Row } from './row.ts'
import { CHECK } from './rows/check.ts'
import { JUMP, LATENESS } from './rows/clock.ts'
import { DASHBOARD, FIRST_PAINT } from './rows/dashboard.ts'
import { DELIVERIES, DELIVERIES_IN_MEMORY } from './rows/deliveries.ts'
import { CREATE_SANDBOX } from './rows/in-process.ts'
import { ISOLATION } from './rows/isolation.ts'
import { LOAD } from './rows/load.ts'
import { OFFSET, PAGES } from './rows/many-jobs.ts'
import { HELP, JOBS, START } from './rows/program.ts'
import { CREATE_USER, SHOW } from './rows/service.ts'
import { DISK, MEMORY, RESTART } from './rows/size.ts'
import { STANDBY } from './rows/standby.ts'
import { IDLE_WORLDS_MEMORY, WORLD_FAIRNESS, WORLD_OPENING } from './rows/worlds.ts'

export const ROWS: readonly Row[] = [
  SHOW,
  CREATE_USER,
  DELIVERIES,
  DELIVERIES_IN_MEMORY,
  STANDBY,
  ISOLATION,
  PAGES,
  OFFSET,
  RESTART,
  MEMORY,
  DISK,
  START,
  HELP,
  JOBS,
  IDLE_WORLDS_MEMORY,
  WORLD_OPENING,
  WORLD_FAIRNESS,
  LOAD,
  CREATE_SANDBOX,
  LATENESS,
  JUMP,
  CHECK,
  DASHBOARD,
  FIRST_PAINT,
]
