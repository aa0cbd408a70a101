/**
 * Gives back at once the memory of bytes that nobody looks at any more: the garbage collector does not hurry with what lies
 * outside its heap, and a start with 100,000 jobs kept 20 MB for long.
 */
export function releaseBytes({ buffer, byteLength }: Uint8Array): void {
  // Small ones may share their memory with others.
  if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength) buffer.transfer(0)
}
