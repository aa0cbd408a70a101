/** Declares modules that only VitePress compiles, so that the repository's compiler accepts imports of these modules. */
declare module '*.css'
declare module '*.vue' {
  import type { Component } from 'vue'
  const component: Component
  export default component
}
