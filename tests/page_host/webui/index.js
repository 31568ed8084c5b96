export const getContext = () => "";
