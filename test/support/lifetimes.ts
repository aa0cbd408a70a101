import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'

interface Closable {
  close(): unknown
}

/**
 * Opens a resource before the first test of the file, and closes the resource after the last test. The resource cannot be used
 * before the first test.
 */
export function duringFile<Resource extends Closable>(open: () => Promise<Resource>): Resource {
  let opened: Resource | undefined
  beforeAll(async () => void (opened = await open()))
  afterAll(() => opened?.close())
  return new Proxy({} as Resource, {
    get: (_, name) => Reflect.get(opened ?? expect.fail('No test has begun'), name),
  })
}

/** Closes the resource after the test. */
export async function duringTest<Resource extends Closable>(opening: Promise<Resource>): Promise<Resource> {
  const opened = await opening
  onTestFinished(async () => void (await opened.close()))
  return opened
}
