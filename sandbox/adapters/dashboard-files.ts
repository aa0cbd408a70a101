import { readPackageFile } from '../../spec/package-files.ts'
import { describeFileError } from './files.ts'

/** Reads the file again for each request, so that a new build is visible immediately. */
export function readDashboardFile(name: string): string | undefined {
  try {
    return readPackageFile(`dist/dashboard/${name}`)
  } catch (error) {
    throw new Error(`Cannot read the dashboard: ${describeFileError(error)}`, { cause: error })
  }
}
