(() => {  // What ipywidgets leaves out for those who hear the page: names, pressed buttons, changed pictures.
  if (window.courseLive) return;
  const heard = document.body.appendChild(document.createElement("p"));
  heard.className = "course-heard"; heard.setAttribute("aria-live", "polite");
  const set = (node, name, value) => node.getAttribute(name) === value || node.setAttribute(name, value);
  const words = (node, kind) => (node.querySelector(kind) || {textContent: ""}).textContent;
  let later = 0;
  const announce = root => {
    const svg = root.querySelector(".pic svg"), said = svg ? svg.getAttribute("aria-label") : words(root, ".pic");
    if (root.said !== undefined && root.said !== said) {
      clearTimeout(later); later = setTimeout(() => heard.textContent = said, 400);
    }
    root.said = said;
  };
  const name = root => {
    for (const slider of root.querySelectorAll(".widget-slider")) {
      const handle = slider.querySelector("[role=slider]"); if (!handle) continue;
      set(handle, "aria-label", words(slider, ".widget-label"));
      set(handle, "aria-valuetext", words(slider, ".widget-readout"));
    }
    for (const group of root.querySelectorAll(".widget-toggle-buttons")) {
      set(group, "role", "group"); set(group, "aria-label", words(group, ".widget-label"));
      for (const button of group.querySelectorAll("button"))
        set(button, "aria-pressed", String(button.classList.contains("mod-active")));
    }
    if (root.querySelector(".pic")) announce(root);
  };
  const roots = nodes => new Set(nodes.flatMap(node => node.closest
    ? [node.closest(".course-live"), ...node.querySelectorAll(".course-live")].filter(Boolean) : []));
  window.courseLive = new MutationObserver(changes => roots(changes.flatMap(c => [c.target, ...c.addedNodes])
    .filter(node => node !== heard && node !== document.body)).forEach(name));
  courseLive.observe(document.body, {childList: true, subtree: true, attributes: true, attributeFilter: ["class"]});
  document.querySelectorAll(".course-live").forEach(name);
})();
