import { useLayoutEffect, useRef, useState } from 'preact/hooks'

export interface Viewport {
  readonly scrollTop: number
  readonly height: number
  readonly width: number
}

export function useViewport() {
  const element = useRef<HTMLDivElement>(null)
  const [viewport, setViewport] = useState<Viewport>({ scrollTop: 0, height: 0, width: 0 })
  useLayoutEffect(() => {
    const { current } = element
    if (!current) return undefined
    const measure = () => {
      const { scrollTop, clientHeight: height, clientWidth: width } = current
      setViewport((before) =>
        before.scrollTop === scrollTop && before.height === height && before.width === width
          ? before
          : { scrollTop, height, width },
      )
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    current.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      current.removeEventListener('scroll', measure)
    }
  }, [])
  return { element, viewport }
}
