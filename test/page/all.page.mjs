// Every test of the page, in one process: they share the browser and the server.
import './reading.page.mjs';
import './asking.page.mjs';
import './seeing.page.mjs';
import './living.page.mjs';
import './inside.page.mjs';
import './form.page.mjs';
