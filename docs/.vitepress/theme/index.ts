import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import TryIt from './TryIt.vue'
import './style.css'

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => void app.component('TryIt', TryIt),
} satisfies Theme
