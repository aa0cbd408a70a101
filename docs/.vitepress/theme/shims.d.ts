/** VitePress compiles these; the compiler of the repository only has to know that they are there. */
declare module '*.css'
declare module '*.vue' {
  import type { Component } from 'vue'
  const component: Component
  export default component
}
