export type ParameterTables = {
  parameter: { name: string; value: string; public: boolean };
};
