import { copyFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Container, ContainerHost } from './containers.ts'
import { fillDebianRoot, removeMirror } from './debian-root.ts'
import { readDockerfile, type Dockerfile } from './dockerfile.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const DOCKERFILE = join(ROOT, 'docker/Dockerfile')

/** What a container of an image begins with. */
export interface Image extends Dockerfile {
  readonly container: Container
}

/** Carries out docker/Dockerfile, instruction by instruction, in an empty folder that stands for the image that it begins with. */
export async function buildImage(host: ContainerHost, root: string): Promise<Image> {
  const dockerfile = readDockerfile(DOCKERFILE)
  if (dockerfile.base !== 'debian:bookworm-slim') throw new Error(`Cannot make ${dockerfile.base} here`)
  fillDebianRoot(root, ['libatomic1'])
  for (const step of dockerfile.steps) {
    if (step.kind === 'run') {
      const { code, stdout, stderr } = await host.run({ root, user: step.user }, 'sh', '-c', step.command)
      if (code !== 0) throw new Error(`"${step.command}" ended with ${code}: ${stdout}${stderr}`)
    } else if (step.kind === 'copy') {
      mkdirSync(join(root, dirname(step.to)), { recursive: true })
      copyFileSync(join(ROOT, step.from), join(root, step.to))
    } else mkdirSync(join(root, step.path), { recursive: true })
  }
  removeMirror(root)
  const { user, folder } = dockerfile
  return { ...dockerfile, container: { root, user, folder, variables: { HOME: folder } } }
}
